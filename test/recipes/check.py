#!/usr/bin/env python3
"""Checks IBANs and German accounts with bankcheck: Python's standard library alone.

  check.py iban DE89370400440532013000 [BIC]      one IBAN
  check.py account 532013000 37040044             one account and its IBAN
  check.py batch ibans.txt                        up to 500, one a line
  check.py stream ibans.txt checked.ndjson        a file of any length
  check.py stream customers.csv checked.csv       the same with a header: IBANs, or accounts with bank codes

BANKCHECK_URL is the address of the service, BANKCHECK_KEY the API key.
"""

import http.client
import itertools
import json
import os
import re
import sys
import threading
import time
from urllib.parse import urlsplit

ADDRESS = urlsplit(os.environ.get("BANKCHECK_URL", "http://127.0.0.1:8080"))
KEY = os.environ.get("BANKCHECK_KEY", "")
ATTEMPTS = 8
PIECE = 65_536


def connect():
    secure = ADDRESS.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    return kind(ADDRESS.netloc, timeout=60)


def seconds_to_wait(answer):
    """Seconds in Retry-After; 2 without one."""
    text = answer.getheader("Retry-After", "") if answer else ""
    return int(text) if text.isdigit() else 2


def may_succeed_later(status):
    return status == 429 or status >= 500


def call(path, body):
    """Posts JSON, and sends it again while the service is busy or away."""
    for _ in range(ATTEMPTS):
        connection, answer = connect(), None
        try:
            headers = {"X-API-Key": KEY, "Content-Type": "application/json"}
            connection.request("POST", ADDRESS.path.rstrip("/") + path, json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.status == 200:
                return json.loads(text)
            if not may_succeed_later(answer.status):
                sys.exit(text)
        except (OSError, http.client.HTTPException) as error:
            print(f"{error!r}", file=sys.stderr)
        finally:
            connection.close()
        time.sleep(seconds_to_wait(answer))
    sys.exit("Given up: the service is busy or away.")


def send_lines(socket, header, file):
    """Sends the rest of a file in chunks; a service that has ended the stream does not take all of it."""
    try:
        for piece in itertools.chain([header] if header else [], iter(lambda: file.read(PIECE), b"")):
            socket.sendall(b"%x\r\n%b\r\n" % (len(piece), piece))
        socket.sendall(b"0\r\n\r\n")
    except (OSError, ValueError):
        pass


LINE = re.compile(rb'\s*\{"line":(\d+)')


def read_json(answer, done):
    """The entries of an answer, each with the number of its line in the file; at last None and the summary."""
    for line in answer:
        number = LINE.match(line)
        if not line.endswith(b"\n") or number is None:
            yield None, json.loads(line).get("summary") if line.endswith(b"\n") else None
            return
        count = done + int(number[1])
        yield count, b'{"line":%d%b' % (count, line[number.end() :])


QUOTED = re.compile(rb'(^|[,;\t|])"[^"]*(?:""[^"]*)*"')


def is_open(row):
    """Whether a quoted field is open: a line break in it belongs to the row. Other quotes are text, as in 5" disk."""
    return re.search(rb'(?:^|[,;\t|])"', QUOTED.sub(rb"\1", row)) is not None


def read_csv(answer, done):
    """The rows of an answer, each with the number of its last line; one that was cut off is dropped."""
    row, line, is_repeated = b"", done, done > 0
    for part in answer:
        row += part
        if not row.endswith(b"\n") or is_open(row):
            continue
        if row.startswith(b'# {"summary":'):
            yield None, json.loads(row[2:])["summary"]
        elif is_repeated:
            is_repeated = False
        else:
            line += row.count(b"\n")
            yield line, row
        row = b""


TYPES = {".csv": "text/csv", ".ndjson": "application/x-ndjson", ".jsonl": "application/x-ndjson"}
# Nothing, an empty line, or Excel's sep=; before the header.
BEFORE_HEADER = re.compile(rb"(\xef\xbb\xbf)?(sep=.)?(\r?\n)?", re.IGNORECASE)


def stream_from(done, source, target):
    """Streams the lines after the first `done`. Returns how many are answered now, the answer, and its summary."""
    connection, answered, answer, socket = connect(), done, None, None
    ending = os.path.splitext(source)[1].lower()
    is_csv = ending == ".csv"
    with open(source, "rb") as file:
        header, skipped = b"", 0
        while is_csv and skipped < done and (BEFORE_HEADER.fullmatch(header) or is_open(header)):
            header, skipped = (header if is_open(header) else b"") + file.readline(), skipped + 1
        for _ in itertools.islice(file, done - skipped):
            pass
        try:
            connection.putrequest("POST", ADDRESS.path.rstrip("/") + "/v1/stream" + ("?header=1" if is_csv else ""))
            kind = TYPES.get(ending, "text/plain")
            for name, value in (("X-API-Key", KEY), ("Content-Type", kind), ("Transfer-Encoding", "chunked")):
                connection.putheader(name, value)
            connection.endheaders()
            # The answer is read while the file is sent, since the service takes no more than its client does. The
            # socket itself is used: the connection lets go of it once the answer has begun.
            socket = connection.sock
            threading.Thread(target=send_lines, args=(socket, header, file), daemon=True).start()
            answer = connection.getresponse()
            if answer.status != 200:
                if not may_succeed_later(answer.status):
                    sys.exit(answer.read().decode())
                return answered, answer, None
            for line, text in (read_csv if is_csv else read_json)(answer, done):
                if line is None:
                    return answered, answer, text
                answered = line
                target.write(text)
        except (OSError, http.client.HTTPException) as error:
            print(f"{error!r}", file=sys.stderr)
        finally:
            if socket is not None:
                socket.close()
            connection.close()
    return answered, answer, None


def stream(source, target_name):
    """The output has its name once it is complete."""
    answered = attempt = 0
    part = target_name + ".part"
    with open(source, "rb") as file:
        head = file.read(PIECE)
    if b"\r" in head and b"\n" not in head:
        sys.exit(f"The lines of {source} end with CR alone: convert them to LF.")
    with open(part, "wb") as target:
        while True:
            before = answered
            answered, answer, summary = stream_from(answered, source, target)
            if summary is not None and "next_line" not in summary:
                if 0 < summary["lines"] == summary.get("errors"):
                    sys.exit(f"No line of {source} can be read: it must be UTF-8; see the errors in {part}.")
                break
            attempt = 0 if answered > before else attempt + 1
            if attempt == ATTEMPTS:
                sys.exit(f"Given up after line {answered}.")
            pause = seconds_to_wait(answer)
            print(f"The stream ended after line {answered}; going on in {pause} s.", file=sys.stderr)
            time.sleep(pause)
    os.replace(part, target_name)


def main(command="", *rest):
    if command == "iban" and rest:
        print(json.dumps(call("/v1/iban", {"iban": rest[0], "bic": "".join(rest[1:2])}), ensure_ascii=False))
    elif command == "account" and len(rest) == 2:
        account = {"kontonummer": rest[0], "bankleitzahl": rest[1], "sepa": 1}
        print(json.dumps(call("/v1/kto", account), ensure_ascii=False))
    elif command == "batch" and rest:
        with open(rest[0], encoding="utf-8-sig") as ibans:
            lines = filter(None, ibans.read().split("\n"))
            print(json.dumps(call("/v1/iban", {"ibans": list(lines)}), ensure_ascii=False))
    elif command == "stream" and len(rest) == 2:
        stream(*rest)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, UnicodeError) as error:
        sys.exit(f"{error}")
