"""Converts paged documents to text: PDF by PDFium, DOCX by the standard library."""
