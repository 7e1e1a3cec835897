import { setTimeout as delay } from "node:timers/promises";
import { RawConnection } from "../http/raw-socket.ts";
import { randomOf } from "../support/random.ts";

/** Observations of clients with kept connections. */
export interface KeptClients {
  readonly answered: number;
  /** Requests that were sent and got no whole answer. */
  readonly lost: number;
  /** Ends all clients after their next answer. */
  end(): Promise<void>;
}

const maxPauseMs = 3;
const reconnectMs = 5;

/**
 * Starts clients that ask one request after the other on a connection they keep, with pauses of up to 3 ms.
 *
 * An answer with `Connection: close` and a refused connection make a client connect again. A connection that ends before
 * a request is answered has lost it.
 */
export function startKeptClients(count: number, port: () => number, request: Uint8Array): KeptClients {
  let isEnding = false;
  const seen = { answered: 0, lost: 0 };
  const random = randomOf(count);
  const client = async () => {
    while (!isEnding) {
      const connection = await RawConnection.open(port()).catch(() => undefined);
      if (connection === undefined) await delay(reconnectMs);
      else await ask(connection);
    }
  };
  const ask = async (connection: RawConnection) => {
    while (!isEnding) {
      // Closed with no request in flight: nothing is lost.
      if (connection.isOver) return;
      const isSent = connection.send(request);
      try {
        const answer = await connection.answer();
        await isSent;
        if (answer.status >= 500 && answer.status !== 503) throw new Error(String(answer.status));
        seen.answered++;
        if (answer.headers.get("connection") === "close") break;
      } catch {
        seen.lost++;
        break;
      }
      await delay(random(maxPauseMs + 1));
    }
    connection.destroy();
  };
  const clients = Array.from({ length: count }, client);
  return {
    get answered() {
      return seen.answered;
    },
    get lost() {
      return seen.lost;
    },
    end: async () => {
      isEnding = true;
      await Promise.all(clients);
    },
  };
}
