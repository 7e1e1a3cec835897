import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { typeOf } from "../../src/metrics/exposition.ts";
import { metricsTable } from "../../src/service/metrics-table.ts";
import { pluck } from "../support/pluck.ts";
import { askedBy, groupedBy } from "./promql.ts";

interface Dashboard {
  panels: {
    id: number;
    title: string;
    gridPos: { x: number; y: number };
    targets: { expr: string; legendFormat: string }[];
  }[];
  templating: unknown;
}

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}

const fileOf = (name: string) => readFileSync(new URL(`../../.deploy/${name}`, import.meta.url), "utf8");
const dashboard = JSON.parse(fileOf("grafana-dashboard.json")) as Dashboard;
const alerts = parse(fileOf("prometheus-alerts.yml")) as { groups: { rules: Alert[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);

/** Labels that Prometheus itself adds, the last two in Kubernetes. */
const scrapeLabels = ["job", "instance", "namespace", "pod"];
const overTime = ["rate", "increase", "irate"];

function rowOf(name: string) {
  const metric = name in metricsTable ? name : name.replace(/_(bucket|sum|count)$/, "");
  const row = metricsTable[metric];
  assert.ok(row && (metric === name || row.type === "histogram"), `${name} is not a metric of the table`);
  return { type: typeOf(metric, row), labels: row.labels ?? [] };
}

/** Fails for a query with an unknown metric or label, or with a function that does not fit a metric's type. */
function expectSound(query: string, where: string): void {
  const asked = askedBy(query);
  assert.ok(asked.length > 0, where);
  for (const { name, labels, functions, isRange } of asked) {
    if (name === "up") continue;
    const { type, labels: own } = rowOf(name);
    const known = [...own, ...scrapeLabels, ...(name.endsWith("_bucket") ? ["le"] : [])];
    for (const label of [...labels, ...groupedBy(query)])
      assert.ok(known.includes(label), `${where}: ${label}`);
    const isCounted = type !== "gauge";
    const isRated = overTime.includes(functions[0] ?? "");
    assert.equal(isRange, isRated, `${where}: ${name} over time`);
    const isCompared = /_total == 0$/.test(query.trim());
    assert.equal(isRated || isCompared, isCounted, `${where}: ${functions[0]} of the ${type} ${name}`);
    if (type === "histogram") {
      const isQuantile = functions.includes("histogram_quantile");
      assert.equal(name.endsWith("_bucket"), isQuantile, `${where}: quantiles are made from buckets`);
      if (isQuantile) assert.ok(groupedBy(query).includes("le"), `${where}: a quantile needs the bounds`);
    }
  }
}

test("the check of queries itself finds what is wrong", () => {
  const wrong = [
    "rate(bankcheck_requests[5m])",
    "bankcheck_requests_total",
    "rate(bankcheck_pool_inside[5m])",
    'rate(bankcheck_requests_total{code="200"}[5m])',
    "sum by (code) (rate(bankcheck_requests_total[5m]))",
    "histogram_quantile(0.5, sum(rate(bankcheck_queue_wait_seconds_bucket[5m])))",
    "histogram_quantile(0.5, sum by (le) (rate(bankcheck_queue_wait_seconds_sum[5m])))",
    "rate(bankcheck_requests_total)",
    "rate(bankcheck_requests_total[5m]",
    "",
  ];
  for (const query of wrong) assert.throws(() => expectSound(query, query), query);
  expectSound("sum by (instance) (rate(bankcheck_requests_total[5m]))", "sound");
});

test("every query of the dashboard asks for metrics and labels there are, each as its type allows", () => {
  for (const { title, targets } of dashboard.panels) {
    assert.ok(targets.length > 0, title);
    for (const { expr, legendFormat } of targets) {
      expectSound(expr, title);
      const known = [...askedBy(expr).flatMap(({ name }) => rowOf(name).labels), ...scrapeLabels];
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(known.includes(label!), title);
    }
  }
  const text = JSON.stringify(dashboard.templating);
  for (const [name] of text.matchAll(/bankcheck_\w+/g)) assert.ok(rowOf(name), name);
});

test("the dashboard's panels have unique ids and positions", () => {
  const { panels } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  assert.equal(new Set(panels.map(({ gridPos: { x, y } }) => `${x}/${y}`)).size, panels.length);
});

test("every alert asks for metrics there are, has a severity and says in a sentence what is wrong", () => {
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { alert, expr, labels, annotations } of rules) {
    expectSound(expr, alert);
    assert.match(labels.severity, /^(warning|critical)$/);
    assert.match(annotations.summary, /^[A-Z{].*\.$/, alert);
  }
});

test("every metric of the table is shown or watched, except those about the process itself", () => {
  const queries = pluck([...dashboard.panels.flatMap(({ targets }) => targets), ...rules], "expr").join();
  const unused = Object.keys(metricsTable).filter((name) => !queries.includes(name));
  assert.deepEqual(unused, ["bankcheck_workers", "bankcheck_build_info", "process_start_time_seconds"]);
});

test("the scrape example reads the alerts, under the job they ask for", () => {
  const scrape = parse(fileOf("prometheus.yml"));
  assert.deepEqual(scrape.rule_files, ["prometheus-alerts.yml"]);
  const jobs: readonly { job_name: string }[] = scrape.scrape_configs;
  assert.deepEqual(pluck(jobs, "job_name"), ["bankcheck"]);
});

test("the autoscaler's metric is made by the adapter's rule from a metric of the table", () => {
  const { rules: adapter } = parse(fileOf("prometheus-adapter.yaml")) as {
    rules: {
      custom: {
        seriesQuery: string;
        name: { as: string };
        resources: { overrides: Record<string, unknown> };
        metricsQuery: string;
      }[];
    };
  };
  const made = adapter.custom.map(({ name, seriesQuery, resources, metricsQuery }) => {
    const series = /^\w+/.exec(seriesQuery)![0];
    const labels = Object.keys(resources.overrides);
    const query = metricsQuery
      .replace("<<.GroupBy>>", labels.join(", "))
      .replace("<<.Series>>", series)
      .replace("<<.LabelMatchers>>", labels.map((label) => `${label}="any"`).join(","));
    expectSound(query, name.as);
    assert.deepEqual(askedBy(seriesQuery)[0]?.labels, labels);
    return name.as;
  });
  const wanted = parseAllDocuments(fileOf("kubernetes.yaml"))
    .map((document) => document.toJS() as { spec: { metrics?: { pods: { metric: { name: string } } }[] } })
    .flatMap(({ spec: { metrics = [] } }) => metrics.map(({ pods }) => pods.metric.name));
  assert.deepEqual(wanted, made);
});
