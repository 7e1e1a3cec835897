import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { routes } from "../../src/contract/routes.ts";
import { matchRoute } from "../../src/http/route-tree.ts";
import { words } from "../support/words.ts";

test("every route of the table is found by its own path, with its parameters in order, and not with an empty segment", () => {
  for (const route of routes) {
    const names: string[] = [];
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      names.push(name.toUpperCase());
      return name.toUpperCase();
    });
    const match = matchRoute(path);
    assert.equal(match?.node.routes.get(route.method), route, route.path);
    assert.deepEqual(match?.parameters, names);
    assert.ok(match?.node.allow.split(", ").includes(route.method));
    assert.equal(match.node.isOpen, route.open === true);
    assert.equal(matchRoute(`${path}/`), undefined);
    for (const { index } of path.matchAll(/\//g))
      assert.equal(matchRoute(`${path.slice(0, index)}/${path.slice(index)}`), undefined);
  }
});

test("names that every object has are not routes", () => {
  for (const path of words`/__proto__ /constructor /v1/toString /v1/__proto__ /v1/iban/x/y/constructor`) {
    assert.equal(matchRoute(path), undefined, path);
  }
  assert.deepEqual(matchRoute("/v1/iban/__proto__")?.parameters, ["__proto__"]);
});

const segment = fc.oneof(
  fc.constantFrom("v1", "iban", "kto", "ping", "service", "", ".", "..", "%", "%2f", "?"),
  fc.string({ unit: "binary" }),
);

test("any path matches or does not, and never throws", () => {
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 8 }), fc.string({ unit: "binary" }), (segments, text) => {
      for (const path of [`/${segments.join("/")}`, text, segments.join("/")]) {
        const match = matchRoute(path);
        if (match === undefined) continue;
        assert.ok(match.node.routes.size > 0);
        assert.ok(match.parameters.every((parameter) => parameter !== "" && !parameter.includes("/")));
        const rebuilt = [...match.node.routes.values()][0]!.path;
        assert.equal(path.slice(1).split("/").length, rebuilt.slice(1).split("/").length, path);
      }
    }),
    { numRuns: 2_000 },
  );
});
