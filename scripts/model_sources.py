"""The packages whose text trains the built-in embedder, and their download.

Chosen for clean English under open licences: manuals and handbooks, API documentation, dictionaries
(definitions pair a word with its meaning), and stories and dialogues of free games, the closest to
conversation that packages contain. All Debian packages are from its `main` section, none from non-free;
collections of quotations are left out, because their copyright is unclear.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

DEBIAN = [
    "python3.11-doc",
    "perl-doc",
    "perl-modules-5.36",
    "linux-doc-6.1",
    "postgresql-doc-15",
    "git-doc",
    "debian-handbook",
    "debian-faq",
    "debian-reference-en",
    "developers-reference",
    "debian-policy",
    "manpages",
    "manpages-dev",
    "libreoffice-help-en-us",
    "gnome-user-docs",
    "gimp-help-en",
    "gnucash-docs",
    "rust-doc",
    "sqlite3-doc",
    "apache2-doc",
    "python-django-doc",
    "kicad-doc-en",
    "inkscape-tutorials",
    "anarchism",
    "dict-jargon",
    "dict-foldoc",
    "dict-gcide",
    "wordnet-base",
    "cataclysm-dda-data",
    "endless-sky-data",
    "freeciv-data",
    "crawl-common",
    "angband-data",
    "wesnoth-1.16-httt",
    "wesnoth-1.16-dm",
    "wesnoth-1.16-ei",
    "wesnoth-1.16-did",
    "wesnoth-1.16-dw",
    "wesnoth-1.16-l",
    "wesnoth-1.16-low",
    "wesnoth-1.16-nr",
    "wesnoth-1.16-sof",
    "wesnoth-1.16-sotbe",
    "wesnoth-1.16-thot",
    "wesnoth-1.16-trow",
    "wesnoth-1.16-tsg",
    "wesnoth-1.16-utbs",
]

PYPI = [
    "sympy",
    "scipy",
    "pandas",
    "scikit-learn",
    "matplotlib",
    "django==5.2",
    "sqlalchemy",
    "networkx",
    "statsmodels",
    "nltk",
    "astropy",
    "biopython",
    "twisted",
    "botocore",
    "flask",
    "werkzeug",
    "requests",
    "aiohttp",
    "fastapi",
    "celery",
    "scrapy",
    "scikit-image",
    "xarray",
    "dask",
    "sphinx",
    "pytest",
    "streamlit",
    "kubernetes",
    "tornado",
    "wagtail",
    "apache-airflow-core",
    "mlflow",
    "transformers",
    "jupyter-server",
    "ipython",
    "gensim",
    "librosa",
    "prefect",
    "ansible-core",
]


# Licences that packages state in prose, or in a package they depend on, instead of by name.
LICENCES = {
    "debian-faq": "free to copy and modify under the same terms (Software in the Public Interest)",
    "gimp-help-en": "GFDL-1.2+",
    "manpages-dev": "as Debian manpages",
    "python3.11-doc": "PSF-2.0",
}


def _run(folder: Path, tool: str, *arguments: str, must: bool = True) -> None:
    """Run a tool from the path, without a shell."""
    program = shutil.which(tool)
    if program is None:
        raise SystemExit(f"{tool} is needed and not installed")
    subprocess.run([program, *arguments], cwd=folder, check=must)


def fetch(folder: Path) -> None:
    """Download each package and unpack it into its own folder; skip those not found."""
    downloads = folder / ".downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    for name in DEBIAN:
        _run(downloads, "apt-get", "download", "-q", name, must=False)
    for name in PYPI:
        options = ("download", "-q", "--no-deps", "--only-binary", ":all:")
        _run(downloads, sys.executable, "-m", "pip", *options, name, must=False)
    for path in sorted(downloads.iterdir()):
        if path.suffix == ".deb":
            _run(folder, "dpkg-deb", "-x", str(path), str(folder / path.name.partition("_")[0]))
        else:
            target = folder / ("pypi-" + path.name.partition("-")[0])
            _run(folder, "unzip", "-qo", str(path), "-d", str(target))
        path.unlink()
    downloads.rmdir()
