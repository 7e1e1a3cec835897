import { type FigureName, type Figures, figure, median } from "../figures.ts";

const percent = (share: number) => `${figure(share * 100)} %`;

/** A step counts as sent in full from this share of what was offered on. */
const fullySent = 0.95;

/** Share of the machine from which on other processes spoil a measurement. */
const maxForeign = 0.2;

/** Number of cores from which the generator, a single thread, is the limit. */
const generatorFull = 0.9;

/** From this spread of goodput between rounds on no difference between values means anything. */
const maxSpread = 0.2;

/** From this share of the time on that the main thread waits for a processor, that sets its p99. */
const maxDelay = 0.05;

/** The share of the offered load that was sent. */
const sentShare = ({ sent = Number.NaN, offered = Number.NaN }: Figures) => sent / offered;

/** Half the distance between the slowest and the fastest round, as a share of the median: the median over the steps. */
export function spreadOf(steps: readonly Figures[]): number {
  const spreads = steps.flatMap(({ goodput = 0, lowest = 0, highest = 0 }) =>
    goodput > 0 ? [(highest - lowest) / 2 / goodput] : [],
  );
  return spreads.length === 0 ? 0 : median(spreads);
}

/** Why figures are not to be relied on, in sentences, what matters most first; none where nothing speaks against it. */
export function doubtsAbout(loads: readonly Figures[], cores: number): readonly string[] {
  const middle = (...names: readonly FigureName[]) =>
    median(loads.map((load) => names.reduce((sum, name) => sum + (load[name] ?? Number.NaN), 0)));
  const foreign = middle("foreignCores") / cores;
  const short = loads.filter((load) => sentShare(load) < fullySent);
  const full = short.filter(({ generatorCores = 0 }) => generatorCores >= generatorFull).length;
  const delay = middle("mainDelay");
  const busy = middle("serviceCores", "generatorCores", "foreignCores") / cores;
  const spread = spreadOf(loads);
  const failures = loads.reduce((sum, load) => sum + (load.failures ?? 0), 0);
  const doubts: readonly (readonly [isDue: boolean, sentence: string])[] = [
    [loads.length > 0 && Number.isNaN(foreign), "This system does not say what takes its processors."],
    [
      foreign > maxForeign,
      `Other processes took ${percent(foreign)} of the machine: measure again when it is quiet.`,
    ],
    [full > 0, `The generator filled its core in ${full} of ${loads.length} loads.`],
    [
      short.length > 0,
      `In ${short.length} of ${loads.length} loads less than ${percent(fullySent)} of the offered requests could be sent: see “sent/s”.`,
    ],
    [
      delay > maxDelay,
      `The machine was ${percent(busy)} busy: the main thread waited ${percent(delay)} of the time for a processor, ` +
        `the generator ${percent(middle("generatorDelay"))}.`,
    ],
    [
      spread > maxSpread,
      `Goodput spread by ± ${percent(spread)} between the rounds: smaller differences are noise.`,
    ],
    [
      failures > 0,
      `${failures} answers were neither 200 nor 503, or connections were lost: look into that first.`,
    ],
  ];
  return doubts.flatMap(([isDue, sentence]) => (isDue ? [sentence] : []));
}

/** Says what set the limit in some steps: the machine's other work, the generator, the machine, its noise, or the service. */
export function limitOf(steps: readonly Figures[], cores: number): string {
  const limit =
    "Neither other processes nor the generator explain it: this is the limit of the service on this machine.";
  const doubts = doubtsAbout(steps, cores);
  return doubts.length === 0 ? limit : doubts.join(" ");
}
