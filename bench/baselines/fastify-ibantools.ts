import fastify from "fastify";
import { electronicFormatIBAN, extractIBAN, validateIBAN } from "ibantools";
import { announce } from "./shared.ts";

// The service of a good afternoon: Fastify with the most used IBAN library. No bank data, no account check.
const app = fastify({ bodyLimit: 131_072 });

function check(text: string) {
  const iban = electronicFormatIBAN(text) ?? "";
  const { valid, errorCodes } = validateIBAN(iban);
  const parts = valid ? extractIBAN(iban) : undefined;
  return {
    iban,
    valid,
    status: valid ? 1 : 0,
    data: {
      iban,
      bic: null,
      kto: parts?.accountNumber ?? "",
      blz: parts?.bankIdentifier ?? "",
      bank: "",
      zip: "",
      location: "",
      country: parts?.countryCode ?? "",
      errors: errorCodes,
    },
  };
}

app.get<{ Params: { iban: string } }>("/v1/iban/:iban", (request) => ({
  status: 1,
  message: "checked",
  data: check(request.params.iban).data,
}));
app.post<{ Body: { ibans: string[] } }>("/v1/iban", (request) => ({
  status: 1,
  message: "checked",
  batch: { total: request.body.ibans.length, results: request.body.ibans.map(check) },
}));
announce(await app.listen({ host: "127.0.0.1", port: 0 }));
