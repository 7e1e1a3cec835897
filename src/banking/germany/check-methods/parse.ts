import { Cursor } from "./cursor.ts";
import {
  type AlgorithmName,
  algorithmNames,
  type Block,
  type Clause,
  type MethodDefinition,
  type SumRuleName,
  sumRuleNames,
} from "./notation.ts";
import { parsePrefix, parseSumBlock } from "./parse-block.ts";
import { parseCondition } from "./parse-condition.ts";

/** Definitions a line may use by name, such as `X51`. */
type NamedDefinitions = ReadonlyMap<string, readonly Clause[]>;

const MOST_SHIFTED_PLACES = 9;

/**
 * Parses one line of the check-digit notation.
 *
 * Throws a NotationError that names the method where the line does not follow the notation. A named
 * definition without conditions is put in place of its name, so that its variants are counted among the method's.
 */
export function parseMethod(
  method: string,
  line: string,
  named: NamedDefinitions = new Map(),
): MethodDefinition {
  const cursor = new Cursor(method, line);
  const clauses = parseClauses(cursor, named);
  cursor.end();
  return { method, clauses };
}

function parseClauses(cursor: Cursor, named: NamedDefinitions): readonly Clause[] {
  const clauses: Clause[] = [];
  while (cursor.takes("when")) {
    const when = parseCondition(cursor);
    cursor.expect(":");
    clauses.push({ when, variants: parseVariants(cursor, named) });
    cursor.expect(";");
  }
  clauses.push({ when: null, variants: parseVariants(cursor, named) });
  return clauses;
}

function parseVariants(cursor: Cursor, named: NamedDefinitions): readonly Block[] {
  const variants: Block[] = [];
  do {
    const block = parseBlock(cursor, named);
    if (block.kind === "definition" && block.clauses.length === 1)
      variants.push(...block.clauses[0]!.variants);
    else variants.push(block);
  } while (cursor.takes("else"));
  return variants;
}

function parseBlock(cursor: Cursor, named: NamedDefinitions): Block {
  if (cursor.takes("@")) {
    return { kind: "method", method: cursor.seesNumber() ? cursor.digits() : cursor.word() };
  }
  const word = cursor.word();
  if (word === "ok" || word === "no") return { kind: word };
  if (word === "shl") return parseShift(cursor, named);
  if (word === "pre") return parsePrefix(cursor);
  if (isSumRule(word)) return parseSumBlock(cursor, word);
  if (isAlgorithm(word)) return { kind: "algorithm", name: word };
  const clauses = named.get(word);
  if (clauses !== undefined) return { kind: "definition", name: word, clauses };
  cursor.back();
  return cursor.fail(`unknown block "${word}"`);
}

function parseShift(cursor: Cursor, named: NamedDefinitions): Block {
  cursor.expect("(");
  const by = cursor.number(1, MOST_SHIFTED_PLACES);
  cursor.expect(";");
  const clauses = parseClauses(cursor, named);
  cursor.expect(")");
  return { kind: "shift", by, clauses };
}

function isSumRule(word: string): word is SumRuleName {
  return (sumRuleNames as readonly string[]).includes(word);
}

function isAlgorithm(word: string): word is AlgorithmName {
  return (algorithmNames as readonly string[]).includes(word);
}
