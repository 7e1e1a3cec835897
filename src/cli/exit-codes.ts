/** What the exit code of a command says; README and help are made from it. */
export const exitCodes = {
  done: { code: 0, sentence: "Done; for a file: every row has been checked, whatever the result." },
  unusable: { code: 1, sentence: "The options, or the file, cannot be used." },
  givenUp: {
    code: 2,
    sentence:
      "Given up: the service or the disk failed for too long; for a file --resume continues from there.",
  },
  refused: { code: 3, sentence: "The service refused: the API key, its configuration, or the request." },
  notValid: {
    code: 4,
    sentence:
      "The number checked is not valid, the search found nothing, or a row of a file is not valid with --fail-on-invalid.",
  },
  suspicious: {
    code: 5,
    sentence:
      "data: a file was not imported because too much would be missing or different, or a check-digit method is unknown; --force imports it.",
  },
  unreachable: {
    code: 6,
    sentence: "data update: the source cannot be reached, or its page has changed; the data is untouched.",
  },
  interrupted: {
    code: 130,
    sentence: "Interrupted by Ctrl-C or SIGTERM; for a file --resume continues from there.",
  },
} as const satisfies Record<string, { readonly code: number; readonly sentence: string }>;
