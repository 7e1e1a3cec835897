const bytesPerMb = 1_048_576;

/** Maximum bytes that a process keeps for its clients at a time. The operating page adds them up. */
export const memoryBudget = {
  unfinishedBodies: 64 * bytesPerMb,
  /** Answers that clients with a key have not taken. */
  keyedAnswers: 56 * bytesPerMb,
  /** The same without a key: a small share, so that they never cost a paying client its answer. */
  keylessAnswers: 8 * bytesPerMb,
  /** Bodies of streams that no worker has read; beyond it streams wait. */
  streamBodies: 128 * bytesPerMb,
} as const;
