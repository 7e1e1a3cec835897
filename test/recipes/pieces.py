#!/usr/bin/env python3
"""Checks a file of IBANs with requests, in pieces: pieces.py IBANS.txt > checked.csv"""

import itertools
import os
import sys

import requests

URL = os.environ.get("BANKCHECK_URL", "http://127.0.0.1:8080") + "/v1/stream?fields=status,reason"
session = requests.Session()
session.headers = {"X-API-Key": os.environ["BANKCHECK_KEY"], "Content-Type": "text/plain", "Accept": "text/csv"}
retries = requests.adapters.Retry(total=8, status_forcelist=[503], allowed_methods=None)
session.mount("http", requests.adapters.HTTPAdapter(max_retries=retries))
with open(sys.argv[1], "rb") as file:
    ibans = (line.strip() for line in file if line.strip())
    while piece := list(itertools.islice(ibans, 5_000)):
        answer = session.post(URL, data=b"\n".join(piece))
        answer.raise_for_status()
        _, *rows, summary = answer.content.splitlines(keepends=True)
        if not summary.startswith(b"# {") or b"next_line" in summary:
            sys.exit("The service stopped; begin again.")
        # The number of the line, which counts within the piece, gives way to the IBAN.
        sys.stdout.buffer.writelines(iban + row[row.index(b",") :] for iban, row in zip(piece, rows))
