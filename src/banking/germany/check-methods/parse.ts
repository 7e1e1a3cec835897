import { parseCondition } from "./conditions.ts";
import { sumRules } from "./digit-sum.ts";
import { type Condition, End, GraphBuilder, type MethodGraph, type Variant } from "./graph.ts";
import { type AlgorithmName, namedAlgorithms } from "./named-algorithms.ts";
import { type Cursor, cursorOver } from "./notation.ts";
import { parsePrefix, parseSumBlock } from "./sum-block.ts";

/** Variants that decide alone where the condition holds; the first clause that applies counts, the last has none. */
interface Clause {
  readonly when?: Condition;
  readonly variants: readonly Variant[];
}

type Line = readonly [name: string, line: string];

interface Known {
  /** Methods by the Bundesbank's name, two characters, and what lines may use by name, such as `X51`. */
  readonly definitions: Map<string, readonly Clause[]>;
  /** Methods that are being built. */
  readonly pending: Set<string>;
}

const maxShift = 9;

/**
 * Turns lines of the notation by method, and definitions that they use by name, into decision graphs.
 *
 * Throws an Error that names the method whose line does not follow the notation, refers to an unknown method or to itself, or
 * shifts something that cannot be shifted. A named definition without conditions is put in place of its name, so that its
 * variants are counted among the method's.
 */
export function methodGraph(lines: Iterable<Line>, named: Iterable<Line> = []): MethodGraph {
  const known: Known = { definitions: new Map(), pending: new Set() };
  const methodLines = [...lines];
  for (const [name, line] of [...named, ...methodLines]) {
    const cursor = cursorOver(name, line);
    known.definitions.set(name, parseClauses(cursor, known));
    cursor.end();
  }
  const graph = new GraphBuilder();
  const methods = methodLines.map(([method]) => {
    try {
      const entry = methodVariant(method, known)(graph, 0, End.invalid);
      const clauses = known.definitions.get(method)!;
      const count = Math.max(...clauses.map(({ variants }) => variants.length));
      const variants = Array.from({ length: count }, (_, index) =>
        variantOf(clauses, index, index + 1)(graph, 0, End.invalid),
      );
      return { entry, variants };
    } catch (error) {
      throw new Error(`check-digit method ${method}: ${(error as Error).message}`, { cause: error });
    }
  });
  return { nodes: graph.nodes, sums: graph.sums, methods };
}

function parseClauses(cursor: Cursor, known: Known): readonly Clause[] {
  const clauses: Clause[] = [];
  while (cursor.takes("when")) {
    const when = parseCondition(cursor);
    cursor.expect(":");
    clauses.push({ when, variants: parseVariants(cursor, known) });
    cursor.expect(";");
  }
  return [...clauses, { variants: parseVariants(cursor, known) }];
}

function parseVariants(cursor: Cursor, known: Known): readonly Variant[] {
  return cursor.list("else", () => parseVariant(cursor, known)).flat();
}

function parseVariant(cursor: Cursor, known: Known): Variant | readonly Variant[] {
  if (cursor.takes("@")) {
    return methodVariant(cursor.seesNumber() ? cursor.digits() : cursor.word(), known);
  }
  const word = cursor.word();
  if (word === "ok") return () => End.unchecked;
  if (word === "no") return (_, __, next) => next;
  if (word === "shl") return parseShift(cursor, known);
  if (word === "pre") return parsePrefix(cursor);
  if (isKey(sumRules, word)) return parseSumBlock(cursor, word);
  if (isKey(namedAlgorithms, word)) return algorithmVariant(word);
  const clauses = known.definitions.get(word) ?? cursor.reject(`unknown block "${word}"`);
  return clauses.length === 1 ? clauses[0]!.variants : variantOf(clauses);
}

function isKey<Name extends string>(table: Readonly<Record<Name, unknown>>, word: string): word is Name {
  return Object.hasOwn(table, word);
}

/** What some clauses decide, by all of their variants or by those from `first` to before `end`. */
function variantOf(clauses: readonly Clause[], first = 0, end?: number): Variant {
  return (graph, shift, next) =>
    clauses.reduceRight((rest, { when, variants }) => {
      const tried = variants.slice(first, end);
      const start = tried.reduceRight((otherwise, variant) => variant(graph, shift, otherwise), next);
      return when === undefined ? start : when(graph, shift, start, rest);
    }, next);
}

/** A method as a part of another, or of the graph; one that leads back to itself would never end. */
function methodVariant(method: string, { definitions, pending }: Known): Variant {
  return (graph, shift, next) => {
    const clauses = definitions.get(method);
    if (clauses === undefined) throw new RangeError(`there is no method ${method} to refer to`);
    if (pending.has(method)) throw new RangeError(`method ${method} refers to itself`);
    pending.add(method);
    const entry = variantOf(clauses)(graph, shift, next);
    pending.delete(method);
    return entry;
  };
}

/** The digits that a shift pushes out must be zero, so only short numbers can be shifted. */
function parseShift(cursor: Cursor, known: Known): Variant {
  cursor.expect("(");
  const by = cursor.number(1, maxShift);
  cursor.expect(";");
  const shifted = variantOf(parseClauses(cursor, known));
  cursor.expect(")");
  return (graph, shift, next) => {
    const test = { kind: "range", from: 1, to: shift + by, min: 0, max: 0 } as const;
    return graph.node(test, shifted(graph, shift + by, next), next);
  };
}

function algorithmVariant(algorithm: AlgorithmName): Variant {
  const { checkPosition } = namedAlgorithms[algorithm];
  return (graph, shift, next) => {
    if (shift > 0) throw new RangeError(`${algorithm} cannot be shifted`);
    return graph.node({ kind: "stepwise", algorithm, checkPosition }, End.valid, next);
  };
}
