import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks IBANs with bankcheck: Java 17's own HttpClient, without libraries.
 *
 * <pre>
 * java Check.java iban DE89370400440532013000 [BIC]      one IBAN
 * java Check.java batch ibans.txt                        up to 500, one a line
 * java Check.java stream ibans.txt checked.ndjson        a file of any length
 * </pre>
 *
 * BANKCHECK_URL is the address of the service, BANKCHECK_KEY the API key.
 */
public class Check {
    static final String URL = System.getenv().getOrDefault("BANKCHECK_URL", "http://127.0.0.1:8080");
    static final String KEY = System.getenv().getOrDefault("BANKCHECK_KEY", "");
    static final int ATTEMPTS = 8;
    static final Pattern LINE = Pattern.compile("^\\s*\\{\"line\":(\\d+)");

    // HTTP/1.1: the service does not speak HTTP/2, and an offer to switch costs a header each time.
    static final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public static void main(String[] args) throws Exception {
        String command = args.length < 2 ? "" : args[0];
        switch (command) {
            case "iban" -> System.out.println(call("{\"iban\":" + quoted(args[1])
                    + ",\"bic\":" + quoted(args.length > 2 ? args[2] : "") + "}"));
            case "batch" -> System.out.println(call(Files.readAllLines(Path.of(args[1])).stream()
                    .map(Check::quoted).collect(Collectors.joining(",", "{\"ibans\":[", "]}"))));
            case "stream" -> stream(Path.of(args[1]), Path.of(args[2]));
            default -> fail("Usage: java Check.java iban IBAN [BIC] | batch FILE | stream FILE OUTPUT");
        }
    }

    /** Posts JSON, and sends it again while the service is busy or away. */
    static String call(String body) throws InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            HttpResponse<String> response = null;
            try {
                response = client.send(request("/v1/iban", "application/json")
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

    /** Streams a file, and goes on after the last line answered whenever a stream ends before the file. */
    static void stream(Path source, Path target) throws Exception {
        try (PrintWriter output = new PrintWriter(Files.newBufferedWriter(target))) {
            Progress progress = new Progress(0, false, 2);
            for (int attempt = 0; !progress.isFinished; ) {
                long before = progress.answered;
                progress = streamFrom(before, source, output);
                if (progress.isFinished) return;
                attempt = progress.answered > before ? 0 : attempt + 1;
                if (attempt == ATTEMPTS) fail("Given up after line " + progress.answered + ".");
                System.err.printf("The stream ended after line %d; going on in %d s.%n",
                        progress.answered, progress.secondsToWait);
                Thread.sleep(progress.secondsToWait * 1_000L);
            }
        }
    }

    record Progress(long answered, boolean isFinished, int secondsToWait) {}

    static Progress streamFrom(long done, Path source, PrintWriter output) throws InterruptedException {
        long answered = done;
        int pause = 2;
        String type = source.toString().endsWith(".ndjson") ? "application/x-ndjson" : "text/plain";
        try (InputStream file = Files.newInputStream(source)) {
            skipLines(file, done);
            HttpResponse<InputStream> response = client.send(
                    request("/v1/stream", type).POST(BodyPublishers.ofInputStream(() -> file)).build(),
                    BodyHandlers.ofInputStream());
            pause = secondsToWait(response);
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    if (maySucceedLater(response.statusCode())) return new Progress(answered, false, pause);
                    fail(new String(body.readAllBytes(), StandardCharsets.UTF_8));
                }
                CompleteLines lines = new CompleteLines(body);
                for (String line = lines.next(); line != null; line = lines.next()) {
                    Matcher number = LINE.matcher(line);
                    if (!number.find()) {
                        boolean isWhole = line.contains("\"summary\"") && !line.contains("\"next_line\"");
                        return new Progress(answered, isWhole, pause);
                    }
                    answered = done + Long.parseLong(number.group(1));
                    output.println("{\"line\":" + answered + line.substring(number.end()));
                }
            }
        } catch (IOException error) {
            System.err.println(error);
        }
        return new Progress(answered, false, pause);
    }

    static void skipLines(InputStream file, long count) throws IOException {
        for (long line = 0; line < count; ) {
            int next = file.read();
            if (next < 0) return;
            if (next == '\n') line++;
        }
    }

    /** The lines of an answer; one that was cut off is dropped. */
    static class CompleteLines {
        private final BufferedReader reader;

        CompleteLines(InputStream body) {
            reader = new BufferedReader(new java.io.InputStreamReader(body, StandardCharsets.UTF_8), 1 << 16);
        }

        String next() throws IOException {
            StringBuilder line = new StringBuilder(400);
            for (int next = reader.read(); next >= 0; next = reader.read()) {
                if (next == '\n') return line.toString();
                line.append((char) next);
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

    /** What Retry-After asks for; 2 seconds where nothing does. */
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
