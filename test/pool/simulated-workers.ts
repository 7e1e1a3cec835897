import { openDispatcher } from "../../src/pool/dispatcher.ts";
import {
  createQueues,
  mainQueues,
  stateField,
  type WorkerQueues,
  WorkerState,
  workerQueues,
} from "../../src/pool/queues.ts";
import { runLoop } from "../../src/pool/run-loop.ts";
import { SlotField, SlotMemory, SlotState } from "../../src/pool/slots.ts";
import { TaskCosts } from "../../src/pool/task-costs.ts";
import { flagBits } from "../../src/pool/tasks.ts";
import { Tenant } from "../../src/pool/tenant.ts";
import { tickMs } from "../../src/pool/ticks.ts";
import { allocateSlots } from "../support/slots.ts";

/** Thrown out of a simulated worker that dies. */
class Killed extends Error {}
/** Thrown out of a simulated worker that parks: it continues where it takes, once it is woken. */
class Parked extends Error {}

/** Number of idle rounds after which a simulation is over. */
const maxQuietRounds = 30;

const nextTurn = setImmediate;
const real = { ...Object.getOwnPropertyDescriptors(Atomics) };
const realLoad = Atomics.load;
const stepped = ["load", "store", "compareExchange", "exchange", "notify", "wait"] as const;

/** The numbers below a count. */
export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Who takes an atomic step. */
export type Actor = "main" | "worker";

interface Worker {
  readonly number: number;
  queues: WorkerQueues | undefined;
  /** Whether a step is in progress. */
  isAtWork: boolean;
  die(): void;
}

/** How a simulation is made. */
export interface SimulationOptions {
  readonly workers: number;
  readonly slots?: number;
  /** Called before each atomic step, unless it is taken within this very call. */
  readonly beforeStep?: (actor: Actor, simulation: Simulation) => void;
  /** Whether the main thread takes all the turns that it wants before workers act, so that it falls asleep. */
  readonly isMainFast?: boolean;
  /** Whether workers spin for the next task once before they park. */
  readonly doWorkersSpin?: boolean;
  readonly cannotComeUp?: boolean;
  /** What a worker does in a task before it is answered. */
  readonly work?: (slotNumber: number) => void;
}

/**
 * A dispatcher with workers that run the real code of a run loop on this thread, and turns of the event loop that are taken
 * when the test says so. Every atomic step can be the last one of its worker, or the moment at which someone else acts.
 */
export class Simulation {
  /** Reports, in order: the number of an answered slot, otherwise its number and outcome. */
  readonly reported: string[] = [];
  /** How many times slots were submitted. */
  submitted = 0;
  /** Slots whose work was begun, in order. */
  readonly begun: number[] = [];
  /** Run loops that were begun by the dispatcher, by number of the worker. */
  readonly loops: number[] = [];
  readonly memory: SlotMemory;
  readonly dispatcher: ReturnType<typeof openDispatcher>;
  readonly tenant = new Tenant({});
  /** Those of kind 1 are known: 5 µs a unit. */
  readonly costs = new TaskCosts();
  /** Whether loops fail before their worker comes up. */
  cannotComeUp: boolean;
  readonly #options: SimulationOptions;
  readonly #queues: ReturnType<typeof createQueues>;
  readonly #fields: Int32Array<SharedArrayBuffer>;
  readonly #workers: Worker[] = [];
  #turns: (() => void)[] = [];
  #actor: Actor = "main";
  #isHooked = true;

  constructor(options: SimulationOptions) {
    const slots = options.slots ?? 64;
    this.costs.learn(1 << flagBits, 0, 5);
    this.#options = options;
    this.memory = new SlotMemory(allocateSlots(slots, 0));
    this.#queues = createQueues(options.workers, slots);
    this.#fields = new Int32Array(this.#queues.buffer);
    this.dispatcher = openDispatcher(
      (worker) => this.#begin(worker),
      mainQueues(this.#queues),
      this.memory,
      (slot, outcome) => {
        this.reported.push(outcome === "answered" ? String(slot.number) : `${slot.number} ${outcome}`);
        slot.state = SlotState.free;
      },
      this.costs,
    );
    this.cannotComeUp = options.cannotComeUp ?? false;
    this.dispatcher.loops.start();
  }

  /** Lets the workers come up and park. */
  comeUp(): this {
    while (this.work());
    return this;
  }

  /** Numbers of the workers that are not parked. */
  get awake(): number[] {
    return this.#workers.filter((one) => this.#canWork(one)).map(({ number }) => number);
  }

  /** Submits slots; those of a simulation are reported and free again when they are done. */
  submit(numbers: readonly number[], tenant = this.tenant, kind = 1, inputLength = 22): void {
    this.submitted += numbers.length;
    for (const number of numbers) {
      const slot = this.memory.slots[number]!;
      slot.tenant = tenant;
      slot.set(SlotField.kind, kind);
      slot.set(SlotField.inputLength, inputLength);
      this.#patched(() => this.dispatcher.submit(slot));
    }
  }

  /** Takes a slot back; false if its task is begun. */
  drop(number: number): boolean {
    return this.#patched(() => this.dispatcher.drop(this.memory.slots[number]!, "unbegun"));
  }

  /** Runs the requested turns of the event loop. */
  takeTurn(): boolean {
    const turns = this.#turns;
    this.#turns = [];
    for (const turn of turns) this.#patched(turn);
    return turns.length > 0;
  }

  /** Lets a worker go on until it parks or dies; false if none can. */
  work(number?: number): boolean {
    const worker = this.#workers.find((one) => (number ?? one.number) === one.number && this.#canWork(one));
    if (worker === undefined) return false;
    this.#patched(() => this.#loop(worker), "worker");
    return true;
  }

  /** Kills the worker whose step it is. */
  kill(): never {
    throw new Killed();
  }

  /** Lets everyone act in turn until `count` slots are reported, or no one has anything left to do. */
  async settle(count: number): Promise<void> {
    for (let quiet = 0; quiet < maxQuietRounds && this.reported.length < count; quiet++) {
      let hasActed = this.takeTurn();
      while (this.#options.isMainFast === true && this.takeTurn());
      while (this.work()) hasActed = true;
      if (hasActed) quiet = 0;
      // After a failed start the dispatcher pauses for a tick.
      const isPausing = quiet >= maxQuietRounds / 2;
      if (isPausing && this.#workers.length === this.#options.workers) return;
      await new Promise((resolve) => {
        if (isPausing) setTimeout(resolve, tickMs / 10);
        else nextTurn(resolve);
      });
    }
  }

  #canWork({ number, queues, isAtWork }: Worker): boolean {
    if (isAtWork) return false;
    const state = realLoad(this.#fields, stateField(number));
    return queues === undefined || state !== WorkerState.parked;
  }

  #begin(number: number): Promise<void> {
    this.loops.push(number);
    if (this.cannotComeUp) return Promise.reject(new Error("it does not come up"));
    return new Promise((_, reject) => {
      const worker: Worker = {
        number,
        queues: undefined,
        isAtWork: false,
        die: () => {
          this.#workers.splice(this.#workers.indexOf(worker), 1);
          reject(new Error("the thread has died"));
        },
      };
      this.#workers.push(worker);
    });
  }

  #loop(worker: Worker): void {
    worker.isAtWork = true;
    try {
      worker.queues ??= workerQueues(this.#queues, this.memory, worker.number, 1 + worker.number);
      const work = ({ number }: { readonly number: number }) => {
        this.begun.push(number);
        this.#options.work?.(number);
        return SlotState.answered;
      };
      // So short a time is over after the first look, so that the number of steps does not depend on the clock.
      const spinMs = this.#options.doWorkersSpin === true ? Number.MIN_VALUE : 0;
      runLoop(worker.queues, work, { spinMs: () => spinMs, spun: () => {} });
    } catch (error) {
      if (error instanceof Killed) worker.die();
      else if (!(error instanceof Parked)) throw error;
    } finally {
      worker.isAtWork = false;
    }
  }

  /** Does something with atomic steps and turns of the event loop in the simulation's hands. */
  #patched<T>(act: () => T, actor: Actor = "main"): T {
    const outer = { actor: this.#actor, setImmediate: globalThis.setImmediate };
    this.#actor = actor;
    globalThis.setImmediate = ((turn: () => void) => {
      this.#turns.push(turn);
    }) as unknown as typeof setImmediate;
    for (const name of stepped) {
      const original = real[name]!.value as (...values: unknown[]) => unknown;
      const step = (...values: unknown[]) => {
        // A thread that acted within a step of this one has changed the functions.
        this.#step(this.#actor);
        return name === "wait" ? this.#wait(values as [Int32Array, number, number]) : original(...values);
      };
      Object.defineProperty(Atomics, name, { ...real[name]!, value: step });
    }
    try {
      return act();
    } finally {
      this.#actor = outer.actor;
      globalThis.setImmediate = outer.setImmediate;
      if (outer.setImmediate === nextTurn) Object.defineProperties(Atomics, real);
    }
  }

  #step(actor: Actor): void {
    if (!this.#isHooked || this.#options.beforeStep === undefined) return;
    this.#isHooked = false;
    try {
      this.#options.beforeStep(actor, this);
    } finally {
      this.#isHooked = true;
    }
  }

  #wait([words, index, value]: [Int32Array, number, number]): string {
    if (realLoad(words as Int32Array<SharedArrayBuffer>, index) !== value) return "not-equal";
    throw new Parked();
  }
}
