"""Detection rules: one row per form of secret, for RE2, which is linear for any text.

Written from the formats that providers document. The value is the last group that took part in the match,
or the whole match. Specific rules come first: if two match the same text, the first one names it.
Patterns see UTF-8 as bytes, ignore case only where they say so, and never cross a line end inside a
value, so that line numbers stay the same.

`providers.tsv` holds the forms that identify a provider, in order of precedence; the modules of rules
hold the positions that identify a secret of any form. `whole` combines all; `table` says what each
requires of a text, without loading them.
"""
