<?php
/*
 * Checks IBANs and German accounts with bankcheck: PHP 8 with its curl extension.
 *
 *   php check.php iban DE89370400440532013000 [BIC]      one IBAN
 *   php check.php account 532013000 37040044             one account and its IBAN
 *   php check.php batch ibans.txt                        up to 500, one a line
 *   php check.php stream ibans.txt checked.ndjson        a file of any length
 *   php check.php stream customers.csv checked.csv       the same with a header: IBANs, or accounts with bank codes
 *
 * BANKCHECK_URL is the address of the service, BANKCHECK_KEY the API key.
 */

declare(strict_types=1);

const ATTEMPTS = 8;

function fail(string $message): never
{
    fwrite(STDERR, $message . "\n");
    exit(1);
}

function maySucceedLater(int $status): bool
{
    return $status === 0 || $status === 429 || $status >= 500;
}

/** A request to the service; `$retryAfter` becomes what it asks for, in seconds, 2 where it does not. */
function request(string $path, string $type, ?int &$retryAfter): CurlHandle
{
    $retryAfter = 2;
    $request = curl_init(rtrim(getenv('BANKCHECK_URL') ?: 'http://127.0.0.1:8080', '/') . $path);
    curl_setopt_array($request, [
        CURLOPT_POST => true,
        CURLOPT_HTTPHEADER => ['X-API-Key: ' . getenv('BANKCHECK_KEY'), "Content-Type: $type", 'Expect:'],
        CURLOPT_HEADERFUNCTION => function ($request, string $header) use (&$retryAfter): int {
            if (preg_match('/^Retry-After: (\d+)/i', $header, $match)) {
                $retryAfter = (int) $match[1];
            }
            return strlen($header);
        },
    ]);
    return $request;
}

/** Posts JSON, and sends it again while the service is busy or away. */
function call(string $path, array $body): string
{
    for ($attempt = 0; $attempt < ATTEMPTS; $attempt++) {
        $request = request($path, 'application/json', $retryAfter);
        curl_setopt_array($request, [
            CURLOPT_POSTFIELDS => json_encode($body, JSON_INVALID_UTF8_SUBSTITUTE),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 60,
        ]);
        $text = curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_HTTP_CODE);
        if ($status === 200 && $text !== false) {
            return $text;
        }
        if (!maySucceedLater($status)) {
            fail((string) $text);
        }
        sleep($retryAfter);
    }
    fail('Given up: the service is busy or away.');
}

/** Writes the complete lines of NDJSON; returns what is left. */
function takeJson(string $text, int $done, $target, int &$answered, ?array &$summary): string
{
    $lines = explode("\n", $text);
    $rest = array_pop($lines);
    foreach ($lines as $line) {
        $entry = json_decode($line, true);
        if (isset($entry['summary'])) {
            $summary = $entry['summary'];
        } elseif (isset($entry['line'])) {
            $answered = $done + $entry['line'];
            fwrite($target, preg_replace('/^\s*\{"line":\d+/', '{"line":' . $answered, $line) . "\n");
        }
    }
    return $rest;
}

/** Whether a quoted field is open: a line break in it belongs to the row. Other quotes are text, as in 5" disk. */
function isOpen(string $row): bool
{
    return preg_match('/(^|[,;\t|])"/', preg_replace('/(^|[,;\t|])"[^"]*+(?:""[^"]*+)*+"/', '$1', $row)) === 1;
}

/** Writes the complete rows of CSV but a repeated header; returns what is left. */
function takeCsv(string $text, bool &$isRepeated, $target, int &$answered, ?array &$summary): string
{
    $row = '';
    foreach (preg_split('/(?<=\n)/', $text) as $part) {
        $row .= $part;
        if (!str_ends_with($row, "\n") || isOpen($row)) {
            continue;
        }
        if (str_starts_with($row, '# {"summary":')) {
            $summary = json_decode(substr($row, 2), true)['summary'];
        } elseif ($isRepeated) {
            $isRepeated = false;
        } else {
            $answered += substr_count($row, "\n");
            fwrite($target, $row);
        }
        $row = '';
    }
    return $row;
}

/** Streams the lines after the first `$done`; returns how many are answered now, the wait asked for, and the summary. */
function streamFrom(int $done, string $source, $target): array
{
    $file = @fopen($source, 'rb') ?: fail("$source cannot be read.");
    $type = match (strtolower(pathinfo($source, PATHINFO_EXTENSION))) {
        'csv' => 'text/csv',
        'ndjson', 'jsonl' => 'application/x-ndjson',
        default => 'text/plain',
    };
    $isCsv = $type === 'text/csv';
    $isRepeated = $isCsv && $done > 0;
    $header = '';
    for ($line = 0; $line < $done; $line++) {
        $skipped = fgets($file);
        // Nothing, an empty line, or Excel's sep=; before the header.
        if ($isRepeated && preg_match('/^(\xEF\xBB\xBF)?(sep=.)?(\r?\n)?$/iD', $header)) {
            $header = $skipped;
        } elseif ($isRepeated && isOpen($header)) {
            $header .= $skipped;
        }
    }
    $answered = $done;
    $summary = null;
    $rest = '';
    $request = request('/v1/stream' . ($isCsv ? '?header=1' : ''), $type, $retryAfter);
    curl_setopt_array($request, [
        CURLOPT_UPLOAD => true,
        CURLOPT_CUSTOMREQUEST => 'POST',
        CURLOPT_READFUNCTION => function ($request, $in, int $length) use (&$header, $file): string {
            $piece = substr($header, 0, $length);
            $header = substr($header, strlen($piece));
            return $piece === '' ? (string) fread($file, $length) : $piece;
        },
        // curl calls this while it still sends: the service does not take more than is read.
        CURLOPT_WRITEFUNCTION => function ($request, string $piece) use (
            &$rest, &$answered, &$summary, &$isRepeated, $done, $target, $isCsv
        ): int {
            $isAnswer = curl_getinfo($request, CURLINFO_HTTP_CODE) === 200;
            $rest = match (true) {
                !$isAnswer => $rest . $piece,
                $isCsv => takeCsv($rest . $piece, $isRepeated, $target, $answered, $summary),
                default => takeJson($rest . $piece, $done, $target, $answered, $summary),
            };
            return strlen($piece);
        },
    ]);
    curl_exec($request);
    $status = curl_getinfo($request, CURLINFO_HTTP_CODE);
    fclose($file);
    if ($status !== 200 && !maySucceedLater($status)) {
        fail($rest);
    }
    return [$answered, $retryAfter, $summary];
}

/** The output has its name once it is complete. */
function stream(string $source, string $targetName): void
{
    $part = "$targetName.part";
    $head = @file_get_contents($source, length: 65536);
    if ($head === false) {
        fail("$source cannot be read.");
    }
    if (str_contains($head, "\r") && !str_contains($head, "\n")) {
        fail("The lines of $source end with CR alone: convert them to LF.");
    }
    $target = @fopen($part, 'wb') ?: fail("$part cannot be written.");
    $answered = $attempt = 0;
    while (true) {
        $before = $answered;
        [$answered, $pause, $summary] = streamFrom($answered, $source, $target);
        if ($summary !== null && !isset($summary['next_line'])) {
            if ($summary['lines'] > 0 && $summary['lines'] === ($summary['errors'] ?? 0)) {
                fail("No line of $source can be read: it must be UTF-8; see the errors in $part.");
            }
            fclose($target);
            rename($part, $targetName);
            return;
        }
        $attempt = $answered > $before ? 0 : $attempt + 1;
        if ($attempt === ATTEMPTS) {
            fail("Given up after line $answered.");
        }
        fwrite(STDERR, "The stream ended after line $answered; going on in $pause s.\n");
        sleep($pause);
    }
}

/** The lines of a file that are not empty. */
function linesOf(string $source): array
{
    $text = @file_get_contents($source);
    if ($text === false) {
        fail("$source cannot be read.");
    }
    return preg_split('/\r?\n/', preg_replace('/^\xEF\xBB\xBF/', '', $text), flags: PREG_SPLIT_NO_EMPTY);
}

const USAGE = 'Usage: php check.php iban IBAN [BIC] | account KONTONUMMER BLZ | batch FILE | stream FILE OUTPUT';
[, $command, $first, $second] = $argv + ['', '', null, null];
match (true) {
    $command === 'iban' && $first !== null => print call('/v1/iban', ['iban' => $first, 'bic' => $second ?? '']),
    $command === 'account' && $second !== null => print call(
        '/v1/kto', ['kontonummer' => $first, 'bankleitzahl' => $second, 'sepa' => 1]
    ),
    $command === 'batch' && $first !== null => print call('/v1/iban', ['ibans' => linesOf($first)]),
    $command === 'stream' && $second !== null => stream($first, $second),
    default => fail(USAGE),
};
