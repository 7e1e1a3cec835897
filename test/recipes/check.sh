#!/bin/sh
# Checks IBANs and German accounts with bankcheck: curl and awk alone.
#
#   check.sh iban DE89370400440532013000 [BIC]      one IBAN
#   check.sh account 532013000 37040044             one account and its IBAN
#   check.sh batch ibans.txt                        up to 500, one a line
#   check.sh stream ibans.txt checked.ndjson        a file of any length
#   check.sh stream customers.csv checked.csv       the same with a header: IBANs, or accounts with bank codes
#
# BANKCHECK_URL is the address of the service, BANKCHECK_KEY the API key.
set -eu
url=${BANKCHECK_URL:-http://127.0.0.1:8080}
attempts=8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# From a file, so that the key is not in the list of processes.
printf 'X-API-Key: %s\n' "${BANKCHECK_KEY:?is not set}" >"$work/key"

# curl itself waits as Retry-After says, and sends again.
call() {
  curl --silent --show-error --fail-with-body --retry "$attempts" --retry-connrefused --max-time 60 \
    --header @"$work/key" --header 'Content-Type: application/json' --data-binary @- "$url$1"
}

expect_readable() {
  if ! [ -f "$1" ] || ! [ -r "$1" ]; then echo "$1 cannot be read." >&2; exit 1; fi
}

# Whether a quoted field is open: a line break in it belongs to the row. Other quotes are text, as in 5" disk.
is_open='function is_open(row) {
  gsub(/(^|[,;\t|])"([^"]|"")*"/, "", row)
  return row ~ /(^|[,;\t|])"/
}
'

# The lines from number $1 + 1 of file $2, those of CSV after its header; complete lines of the answer go to standard
# output.
stream_from() {
  type=text/plain query=
  : >"$work/header"
  case $(printf %s "$2" | tr '[:upper:]' '[:lower:]') in
    *.ndjson | *.jsonl) type=application/x-ndjson ;;
    *.csv)
      type=text/csv query='?header=1'
      # Empty lines and Excel's sep=; come before the header.
      head -n "$1" "$2" | awk "$is_open"'
        { row = row $0 "\n" }
        is_open(row) { next }
        { found = row }
        tolower(row) !~ /^(\357\273\277)?(sep=.)?\r?\n$/ { exit }
        { row = "" }
        END { printf "%s", found }' >"$work/header"
      ;;
  esac
  rm -f "$work/head" "$work/summary" "$work/refusal"
  # A line that was cut off has no line end, so it is the one that END is appended to.
  { { cat "$work/header"; tail -n "+$(($1 + 1))" "$2"; } | curl --silent --show-error --request POST --upload-file - --header @"$work/key" \
    --header "Content-Type: $type" --header 'Expect:' --dump-header "$work/head" "$url/v1/stream$query" || true; echo END; } |
    awk -v done="$1" -v work="$work" -v csv="$query" -v header="$(wc -c <"$work/header")" "$is_open"'
      NR > 1 && csv {
        row = row last "\n"
        rows = is_open(row) ? 0 : gsub(/\n/, "\n", row)
        if (row ~ /^# \{"summary":/) print last >(work "/summary")
        else if (rows && !header) { printf "%s", row; answered = (answered ? answered : done) + rows }
        if (rows) row = header = ""
      }
      NR > 1 && !csv {
        sub(/^ +/, "", last)
        if (match(last, /^\{"line":[0-9]+/)) {
          answered = done + substr(last, 9, RLENGTH - 8)
          printf "{\"line\":%.0f%s\n", answered, substr(last, RLENGTH + 1)
        } else if (last ~ /^\{"summary":/) print last >(work "/summary")
      }
      { last = $0 }
      END {
        if (last != "END") print substr(last, 1, length(last) - 3) >(work "/refusal")
        printf "%.0f\n", answered ? answered : done >(work "/answered")
      }'
}

# The output has its name once it is complete.
stream() {
  answered=0 attempt=0
  expect_readable "$1"
  if head -c 65536 "$1" | awk 'END { exit NR != 1 || $0 !~ /\r./ }'; then
    echo "The lines of $1 end with CR alone: convert them to LF." >&2
    exit 1
  fi
  : >"$2.part"
  while :; do
    stream_from "$answered" "$1" >>"$2.part"
    before=$answered answered=$(cat "$work/answered")
    if [ -s "$work/summary" ] && ! grep -q '"next_line"' "$work/summary"; then
      if grep -q '"lines":\([1-9][0-9]*\),.*"errors":\1[,}]' "$work/summary"; then
        echo "No line of $1 can be read: it must be UTF-8; see the errors in $2.part." >&2
        exit 1
      fi
      mv "$2.part" "$2"
      return
    fi
    status=$(awk 'toupper($1) ~ /^HTTP/ { status = $2 } END { print status }' "$work/head" 2>/dev/null || true)
    case $status in 4[0-8]* | 4[1-9]*) [ "$status" = 429 ] || { cat "$work/refusal" >&2; exit 1; } ;; esac
    if [ "$answered" -gt "$before" ]; then attempt=0; else attempt=$((attempt + 1)); fi
    if [ "$attempt" -ge "$attempts" ]; then echo "Given up after line $answered." >&2; exit 1; fi
    pause=$(awk 'tolower($1) == "retry-after:" { print $2 + 0 }' "$work/head" 2>/dev/null || true)
    echo "The stream ended after line $answered; going on in ${pause:-2} s." >&2
    sleep "${pause:-2}"
  done
}

# A JSON string of each line that is not empty.
quoted='{ sub(/^\357\273\277/, ""); sub(/\r$/, "") }
/./ { gsub(/\\/, "&&"); gsub(/"/, "\\\""); gsub(/\t/, " "); printf "%s\"%s\"", comma, $0; comma = "," }'

case ${1:-}:$# in
  iban:2 | iban:3) printf '{"iban":"%s","bic":"%s"}' "$2" "${3:-}" | call /v1/iban ;;
  account:3) printf '{"kontonummer":"%s","bankleitzahl":"%s","sepa":1}' "$2" "$3" | call /v1/kto ;;
  batch:2)
    expect_readable "$2"
    { printf '{"ibans":['; awk "$quoted" "$2"; echo ']}'; } | call /v1/iban
    ;;
  stream:3) stream "$2" "$3" ;;
  *) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
esac
