"""The folders and the types of files that a sentence names, as anchors: `src/`, `*.sql`. Pure."""

import re

# What stands before "folder" and is no name of one.
_NO_NAME = r"(?:the|this|that|an?|each|every|which|same|one|in|my|our|de|der|die|das|im)"
# A folder that a sentence names: by its path, or as one.
_FOLDER = re.compile(
    r"(?<![\w/.:-])(?:\./)?(?P<path>(?:[\w.-]+/)+[\w-]*)(?!\.?[\w/-])"
    r"|\b(?:folder|directory|ordner|verzeichnis|dossier|répertoire|carpeta|directorio|cartella|pasta)"
    r" [`\"']?(?P<named>[\w.-]+)"
    rf"|\b(?!{_NO_NAME}\b)(?P<called>[\w.-]+)[`\"']? (?:folder|directory|dir|ordner|verzeichnis|map)\b",
    re.IGNORECASE,
)
_FILES = r"(?:files?|dateien?|fichiers?|archivos?|ficheros?|ficheiros?|arquivos?|bestand(?:en)?)"
# A type of files.
_TYPE = re.compile(
    rf"\*\.(?P<glob>[a-z]\w{{0,7}})\b|(?<![\w.])\.(?P<before>[a-z]\w{{0,7}})`?[- ]{_FILES}\b"
    rf"|\b{_FILES} `?\.(?P<after>[a-z]\w{{0,7}})\b",
    re.IGNORECASE,
)


def places_told_of(sentence: str) -> tuple[str, ...]:
    """Return the folders and types of files that a sentence names, as anchors: `src/`, `*.sql`."""
    folders = (next(filter(None, one.groups())) for one in _FOLDER.finditer(sentence))
    types = (next(filter(None, one.groups())) for one in _TYPE.finditer(sentence))
    found = [*(one.rstrip("/") + "/" for one in folders), *(f"*.{one.lower()}" for one in types)]
    return tuple(dict.fromkeys(found))
