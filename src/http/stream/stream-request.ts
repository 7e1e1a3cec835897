import type { KeyHolder } from "../../keys/key-table.ts";
import type { CheckPool } from "../../pool/check-pool.ts";
import type { StreamQuestion } from "../../pool/stream/stream-task.ts";
import type { Exchange } from "../exchange.ts";
import type { Pace } from "./pace.ts";

export interface StreamContext {
  readonly pool: CheckPool;
  readonly pace: Pace;
  /** Counts numbers whose answers were sent. */
  answered(checks: number, holder: KeyHolder | undefined): void;
  /** Whether the holder's key still opens the service. */
  isValid(holder: KeyHolder): boolean;
  /** Records a stream that is cut off in its answer, and why. */
  cutOff(exchange: Exchange, cause: string): void;
  /** How long the client may send nothing, and how long it may take nothing, in milliseconds. */
  readonly idleMs: number;
  readonly answerMs: number;
}

export interface StreamRequest {
  readonly flags: number;
  readonly question: StreamQuestion;
  /** Whether the body is packed, and whether the answer must be. */
  readonly isPacked: boolean;
  readonly packs: boolean;
}
