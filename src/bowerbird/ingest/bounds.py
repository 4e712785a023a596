"""How much of one file is taken in, whatever it holds: what is beyond is cut off, and told.

With these a run stays below 300 MB of memory and no write of one document keeps others waiting for long.
"""

# Of prose that is 32 MB. A document is written whole or not at all, and 20,000 passages take a second:
# that long others who want to write wait.
MOST_PASSAGES = 20_000
# A line costs a hundred bytes of memory beside its text, and a turn of a conversation three hundred.
MOST_LINES = 250_000
MOST_TURNS = 60_000
# Values in one JSON record. Parsed, the smallest take sixty bytes for each two of the file.
MOST_VALUES = 500_000
# Characters of what is said of a passage beside its text: it comes again with each of a section.
LONGEST_CONTEXT = 400
# Transcripts shrink to a tenth, the most repetitive to a fiftieth; a bomb to a thirty-thousandth.
MOST_TIMES_PACKED = 200
# A text with one emoji takes four bytes a letter: bytes of memory for each byte that a file may have.
WIDTH = 1.5

REMEDY = "split the file to have the rest"
CUT = f"the first {MOST_PASSAGES:,} passages are kept; {REMEDY}"
