import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks IBANs and German accounts with bankcheck: Java 17's own HttpClient, without libraries.
 *
 * <pre>
 * java Check.java iban DE89370400440532013000 [BIC]      one IBAN
 * java Check.java account 532013000 37040044             one account and its IBAN
 * java Check.java batch ibans.txt                        up to 500, one a line
 * java Check.java stream ibans.txt checked.ndjson        a file of any length
 * java Check.java stream customers.csv checked.csv       the same with a header: IBANs, or accounts with bank codes
 * </pre>
 *
 * BANKCHECK_URL is the address of the service, BANKCHECK_KEY the API key.
 */
public class Check {
    static final String URL = System.getenv().getOrDefault("BANKCHECK_URL", "http://127.0.0.1:8080");
    static final String KEY = System.getenv().getOrDefault("BANKCHECK_KEY", "");
    static final int ATTEMPTS = 8;
    /** HttpClient reads no answer before it has sent the whole body, so longer files go in several requests. */
    static final int PIECE_LINES = 5_000;
    /** The service takes no longer row; an open quote may never be closed. */
    static final int MAX_ROW = 65_536;
    static final Pattern ALL_ERRORS = Pattern.compile("\"lines\":([1-9]\\d*),.*\"errors\":\\1[,}]");
    static final Pattern LINE = Pattern.compile("^\\s*\\{\"line\":(\\d+)");

    // HTTP/1.1: the service does not speak HTTP/2, and an offer to switch costs a header each time.
    static final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public static void main(String[] args) throws InterruptedException {
        try {
            run(args);
        } catch (IOException error) {
            fail(error.toString());
        }
    }

    static void run(String[] args) throws IOException, InterruptedException {
        String command = args.length == 0 ? "" : args[0];
        int parts = command.equals("iban") || command.equals("batch") ? 2 : 3;
        switch (args.length < parts ? "" : command) {
            case "iban" -> System.out.println(call("/v1/iban", "{\"iban\":" + quoted(args[1])
                    + ",\"bic\":" + quoted(args.length > 2 ? args[2] : "") + "}"));
            case "account" -> System.out.println(call("/v1/kto", "{\"kontonummer\":" + quoted(args[1])
                    + ",\"bankleitzahl\":" + quoted(args[2]) + ",\"sepa\":1}"));
            case "batch" -> System.out.println(call("/v1/iban", linesOf(Path.of(args[1]))
                    .map(Check::quoted).collect(Collectors.joining(",", "{\"ibans\":[", "]}"))));
            case "stream" -> stream(Path.of(args[1]), Path.of(args[2]));
            default -> fail("Usage: java Check.java iban IBAN [BIC] | account KONTONUMMER BLZ | batch FILE"
                    + " | stream FILE OUTPUT");
        }
    }

    /** The lines of a file that are not empty. */
    static Stream<String> linesOf(Path file) throws IOException {
        if (!Files.isReadable(file)) fail(file + " cannot be read.");
        return new String(Files.readAllBytes(file), UTF_8).replaceFirst("^\ufeff", "").lines()
                .filter(line -> !line.isEmpty());
    }

    /** Posts JSON, and sends it again while the service is busy or away. */
    static String call(String path, String body) throws InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            HttpResponse<String> response = null;
            try {
                response = client.send(request(path, "application/json")
                        .timeout(Duration.ofSeconds(60)).POST(BodyPublishers.ofString(body)).build(),
                        BodyHandlers.ofString());
                if (response.statusCode() == 200) return response.body();
                if (!maySucceedLater(response.statusCode())) fail(response.body());
            } catch (IOException error) {
                System.err.println(error);
            }
            Thread.sleep(secondsToWait(response) * 1_000L);
        }
        return fail("Given up: the service is busy or away.");
    }

    /**
     * Streams a file in pieces, and goes on after the last line answered whenever a stream ends before its piece. The
     * output has its name once it is complete.
     */
    static void stream(Path source, Path target) throws IOException, InterruptedException {
        Path part = Path.of(target + ".part");
        if (!Files.isReadable(source)) fail(source + " cannot be read.");
        try (InputStream file = Files.newInputStream(source)) {
            String head = new String(file.readNBytes(65_536), ISO_8859_1);
            if (head.contains("\r") && !head.contains("\n")) {
                fail("The lines of " + source + " end with CR alone: convert them to LF.");
            }
        }
        String name = source.toString().toLowerCase(Locale.ROOT);
        boolean isCsv = name.endsWith(".csv");
        boolean isJson = name.endsWith(".ndjson") || name.endsWith(".jsonl");
        String type = isCsv ? "text/csv" : isJson ? "application/x-ndjson" : "text/plain";
        try (InputStream file = new BufferedInputStream(Files.newInputStream(source));
                PrintWriter output = new PrintWriter(Files.newBufferedWriter(part))) {
            List<String> lines = nextPiece(file, isCsv);
            String header = isCsv ? headerIn(lines) : "";
            long done = 0;
            do {
                Progress progress = new Progress(done, null, 2);
                for (int attempt = 0; !isWhole(progress.end); ) {
                    long before = progress.answered;
                    List<String> rest = lines.subList((int) (before - done), lines.size());
                    progress = streamFrom(before, (before > 0 ? header : "") + String.join("", rest), type, output);
                    if (isWhole(progress.end)) break;
                    attempt = progress.answered > before ? 0 : attempt + 1;
                    if (attempt == ATTEMPTS) fail("Given up after line " + progress.answered + ".");
                    System.err.printf("The stream ended after line %d; going on in %d s.%n",
                            progress.answered, progress.secondsToWait);
                    Thread.sleep(progress.secondsToWait * 1_000L);
                }
                if (done == 0 && ALL_ERRORS.matcher(progress.end).find()) {
                    fail("No line of " + source + " can be read: it must be UTF-8; see the errors in " + part + ".");
                }
                done += lines.size();
                lines = nextPiece(file, isCsv);
            } while (!lines.isEmpty());
            if (output.checkError()) fail(part + " cannot be written.");
        }
        Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The next lines of a file, one character for each byte; a row of CSV is not divided. */
    static List<String> nextPiece(InputStream file, boolean isCsv) throws IOException {
        List<String> lines = new ArrayList<>();
        String row = "";
        while (lines.size() < PIECE_LINES || isCsv && isOpen(row)) {
            String line = readLine(file);
            if (line.isEmpty()) break;
            lines.add(line);
            if (isCsv) row = isOpen(row) && row.length() < MAX_ROW ? row + line : line;
        }
        return lines;
    }

    /** The header of CSV, without what may come before it. */
    static String headerIn(List<String> lines) {
        String header = "";
        for (String line : lines) {
            boolean isBefore = BEFORE_HEADER.matcher(header).matches();
            if (!isBefore && !isOpen(header)) break;
            header = isBefore ? line : header + line;
        }
        return header;
    }

    /** How many lines are answered, the line that ended the answer, and how long to wait. */
    record Progress(long answered, String end, int secondsToWait) {}

    static Progress streamFrom(long done, String piece, String type, PrintWriter output) throws InterruptedException {
        int pause = 2;
        boolean isCsv = type.equals("text/csv");
        try {
            HttpResponse<InputStream> response = client.send(
                    request(isCsv ? "/v1/stream?header=1" : "/v1/stream", type)
                            .POST(BodyPublishers.ofString(piece, ISO_8859_1)).build(),
                    BodyHandlers.ofInputStream());
            pause = secondsToWait(response);
            try (InputStream body = response.body()) {
                if (response.statusCode() == 200) {
                    CompleteLines lines = new CompleteLines(body);
                    return isCsv ? takeRows(lines, done, pause, output) : takeEntries(lines, done, pause, output);
                }
                if (!maySucceedLater(response.statusCode())) fail(new String(body.readAllBytes(), UTF_8));
            }
        } catch (IOException error) {
            System.err.println(error);
        }
        return new Progress(done, null, pause);
    }

    static Progress takeEntries(CompleteLines lines, long done, int pause, PrintWriter output) {
        long answered = done;
        for (String line = lines.next(); line != null; line = lines.next()) {
            Matcher number = LINE.matcher(line);
            if (!number.find()) return new Progress(answered, line, pause);
            answered = done + Long.parseLong(number.group(1));
            output.print("{\"line\":" + answered + line.substring(number.end()) + "\n");
        }
        return new Progress(answered, null, pause);
    }

    static Progress takeRows(CompleteLines lines, long done, int pause, PrintWriter output) {
        long answered = done;
        boolean isRepeated = done > 0;
        StringBuilder row = new StringBuilder();
        for (String line = lines.next(); line != null; line = lines.next()) {
            row.append(line).append('\n');
            String text = row.toString();
            if (isOpen(text)) continue;
            if (text.startsWith("# {\"summary\":")) return new Progress(answered, text, pause);
            row.setLength(0);
            if (!isRepeated) {
                answered += text.chars().filter(found -> found == '\n').count();
                output.print(text);
            }
            isRepeated = false;
        }
        return new Progress(answered, null, pause);
    }

    /** Nothing, an empty line, or Excel's sep=; before the header, after UTF-8's byte order mark. */
    static final Pattern BEFORE_HEADER =
            Pattern.compile("(\u00ef\u00bb\u00bf)?(sep=.)?(\r?\n)?", Pattern.CASE_INSENSITIVE);

    static boolean isWhole(String end) {
        return end != null && end.contains("\"summary\"") && !end.contains("\"next_line\"");
    }

    static final Pattern QUOTED = Pattern.compile("(^|[,;\t|])\"[^\"]*+(?:\"\"[^\"]*+)*+\"");
    static final Pattern OPEN = Pattern.compile("(^|[,;\t|])\"");

    /** Whether a quoted field is open: a line break in it belongs to the row. Other quotes are text, as in 5" disk. */
    static boolean isOpen(String row) {
        return OPEN.matcher(QUOTED.matcher(row).replaceAll("$1")).find();
    }

    /** Reads a line with its line break. */
    static String readLine(InputStream file) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = file.read(); next >= 0; next = next == '\n' ? -1 : file.read()) line.write(next);
        return line.toString(ISO_8859_1);
    }

    /** The lines of an answer; one that was cut off is dropped. */
    static class CompleteLines {
        private final BufferedReader reader;

        CompleteLines(InputStream body) {
            reader = new BufferedReader(new InputStreamReader(body, UTF_8), 1 << 16);
        }

        String next() {
            StringBuilder line = new StringBuilder(400);
            try {
                for (int next = reader.read(); next >= 0; next = reader.read()) {
                    if (next == '\n') return line.toString();
                    line.append((char) next);
                }
            } catch (IOException error) {
                System.err.println(error);
            }
            return null;
        }
    }

    static HttpRequest.Builder request(String path, String type) {
        return HttpRequest.newBuilder(URI.create(URL + path)).header("X-API-Key", KEY).header("Content-Type", type);
    }

    static boolean maySucceedLater(int status) {
        return status == 429 || status >= 500;
    }

    /** Seconds in Retry-After; 2 without one. */
    static int secondsToWait(HttpResponse<?> response) {
        String text = response == null ? "" : response.headers().firstValue("Retry-After").orElse("");
        return text.matches("\\d{1,6}") ? Integer.parseInt(text) : 2;
    }

    /** A JSON string. */
    static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t") + "\"";
    }

    static String fail(String message) {
        System.err.println(message);
        System.exit(1);
        return message;
    }
}
