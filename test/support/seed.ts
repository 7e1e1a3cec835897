import fc from "fast-check";

// Random inputs are the same in every run: `SEED=…` tries others.
fc.configureGlobal({ seed: Number(process.env["SEED"] ?? 1) });
