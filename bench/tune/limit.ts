import { type FigureName, type Figures, figure, median } from "../figures.ts";

/** A step counts as sent in full from this share of what was offered on. */
export const fullySent = 0.95;

/** Share of the machine from which on other processes spoil a measurement. */
export const maxForeign = 0.2;

/** Number of cores from which the generator, a single thread, is the limit. */
const generatorFull = 0.9;

/** From this spread of goodput between rounds on no difference between values means anything. */
const maxSpread = 0.2;

/** From this share of the time on that the main thread waits for a processor, that sets its p99. */
const maxDelay = 0.05;

/** The share of the offered load that was sent. */
export function sentShare({ sent = Number.NaN, offered = Number.NaN }: Figures): number {
  return sent / offered;
}

/** Whether the generator filled its core and could not send the load offered. */
export function isGeneratorFull(step: Figures): boolean {
  return (step.generatorCores ?? 0) >= generatorFull && sentShare(step) < fullySent;
}

/** Half the distance between the slowest and the fastest round, as a share of the median: the median over the steps. */
export function spreadOf(steps: readonly Figures[]): number {
  const spreads = steps.flatMap(({ goodput = 0, lowest = 0, highest = 0 }) =>
    goodput > 0 ? [(highest - lowest) / 2 / goodput] : [],
  );
  return spreads.length === 0 ? 0 : median(spreads);
}

/** Says what set the limit in some steps: the machine's other work, the generator, the machine, its noise, or the service. */
export function limitOf(steps: readonly Figures[], cores: number): string {
  const middle = (...names: readonly FigureName[]) =>
    median(steps.map((step) => names.reduce((sum, name) => sum + (step[name] ?? Number.NaN), 0)));
  const foreign = middle("foreignCores") / cores;
  if (Number.isNaN(foreign))
    return "What set the limit is unknown: this system does not say what takes its processors.";
  if (foreign > maxForeign) return `Other processes took ${figure(foreign * 100)} % of the machine.`;
  if (steps.filter(isGeneratorFull).length > steps.length / 2)
    return "The generator filled its core and could not send the load offered.";
  const delay = middle("mainDelay");
  if (delay > maxDelay) {
    const busy = middle("serviceCores", "generatorCores", "foreignCores") / cores;
    const generator = middle("generatorDelay");
    const sent = median(steps.map(sentShare));
    return (
      `${sent < fullySent ? `Only ${figure(sent * 100)} % of the load offered could be sent. ` : ""}The machine was ${figure(busy * 100)} % busy: the main thread waited ` +
      `${figure(delay * 100)} % of the time for a processor, the generator ${figure(generator * 100)} %.`
    );
  }
  const spread = spreadOf(steps);
  if (spread > maxSpread) return `Goodput spread by ± ${figure(spread * 100)} % between the rounds.`;
  return "Neither other processes nor the generator explain it: this is the limit of the service on this machine.";
}
