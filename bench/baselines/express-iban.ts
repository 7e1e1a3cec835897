import type { AddressInfo } from "node:net";
import express from "express";
import IBAN from "iban";
import { announce } from "./shared.ts";

// The other usual pair: express with iban.js.
const app = express();
app.use(express.json({ limit: 131_072 }));

function check(text: string) {
  const iban = IBAN.electronicFormat(text);
  const valid = IBAN.isValid(iban);
  const data = {
    iban,
    bic: null,
    kto: "",
    blz: "",
    bank: "",
    zip: "",
    location: "",
    country: iban.slice(0, 2),
  };
  return { iban, valid, status: valid ? 1 : 0, data };
}

app.get("/v1/iban/:iban", (request, response) => {
  response.json({ status: 1, message: "checked", data: check(request.params.iban).data });
});
app.post("/v1/iban", (request, response) => {
  const { ibans } = request.body as { ibans: string[] };
  response.json({ status: 1, message: "checked", batch: { total: ibans.length, results: ibans.map(check) } });
});
const server = app.listen(0, "127.0.0.1", () => announce((server.address() as AddressInfo).port));
