"""How files of pages become text: PDF by PDFium, DOCX by the standard library."""
