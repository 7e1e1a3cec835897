import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { dataFolderOf } from "../banks/editions/data-folder.ts";
import { takePreparedEdition } from "../banks/editions/edition.ts";
import { watchEditions } from "../banks/editions/edition-watch.ts";
import { liveEdition } from "../banks/editions/live-edition.ts";
import type { LoadedEdition } from "../banks/editions/load.ts";
import { clientFilter } from "../http/addresses.ts";
import { loadBinding } from "../http/binding.ts";
import { certificateFiles, watchCertificate } from "../http/certificate.ts";
import type { WorkReader } from "../http/operations/operations.ts";
import { openServer } from "../http/server.ts";
import { compileKernel } from "../kernel/kernel.ts";
import { kernelTables } from "../kernel/kernel-tables.ts";
import { createFirstKey } from "../keys/key-changes.ts";
import { makeStateFolder } from "../keys/key-file.ts";
import { watchKeys } from "../keys/key-watch.ts";
import { serveMetrics } from "../metrics/admin-listener.ts";
import { metricsRegistry } from "../metrics/exposition.ts";
import { watchProcessLoad } from "../metrics/process-load.ts";
import { RequestCounts } from "../metrics/request-counts.ts";
import { openCheckPool } from "../pool/check-pool.ts";
import { type Channel, resultOfThread, within } from "../process/calls.ts";
import type { Settings } from "../settings-table.ts";
import { openUsageStore, UsageRecorder } from "../usage/usage-recorder.ts";
import { metricsAnswer } from "./metrics-answer.ts";
import { type MetricSources, metricsTable } from "./metrics-table.ts";
import type { SupervisorOffers } from "./supervisor.ts";
import { processesAnswer, recordWork, WorkHistory } from "./work-history.ts";

/** Dependencies of a service besides its settings; tests replace the worker. */
interface ServiceParts {
  readonly droppedLogLines?: () => number;
  readonly supervisor?: Channel<SupervisorOffers> | undefined;
  readonly workerFile?: string;
}

function threadFile(name: string): string {
  return fileURLToPath(new URL(`../../workers/${name}${extname(import.meta.url)}`, import.meta.url));
}

/**
 * Starts the worker pool and loads the bank data into it, now and whenever its files change. Without any data the pool can
 * check nothing.
 */
export async function startPool(settings: Settings, log: Logger, parts: ServiceParts = {}) {
  const dataFolder = () => dataFolderOf(settings);
  const observeAccounts = settings.observeAccounts.split(",");
  const pool = openCheckPool({
    size: settings.poolSize,
    queue: settings.poolQueue,
    checkTimeout: settings.checkTimeout,
    checkHardLimit: settings.checkHardLimit,
    workerFile: parts.workerFile ?? threadFile("check"),
    kernel: await compileKernel(),
    kernelTables: kernelTables(observeAccounts),
    observeAccounts,
  });
  const live = liveEdition({
    load: async (day, room) => {
      const input = { dataFolder: dataFolder(), day, room };
      const prepared = pool.editions.isLoaded ? undefined : await takePreparedEdition(input);
      return prepared ?? resultOfThread<LoadedEdition>(threadFile("load"), input);
    },
    replace: (write) => pool.editions.replace(write),
    now: Date.now,
    log,
  });
  const watch = watchEditions(live, dataFolder, Date.now);
  try {
    // Both take processor time, and neither needs the other.
    await Promise.all([pool.ready(), watch.loadAgain()]);
  } catch (error) {
    watch.close();
    throw error;
  }
  return { pool, live, watch };
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** How long a connection that is kept open may be idle while the service stops, before it is closed without an answer. */
const idleGraceMs = 1_000;

/** Starts the service and resolves when it answers: data loaded, workers ready, port open. Where it rejects the process must end. */
export async function startService(settings: Settings, log: Logger, parts: ServiceParts = {}) {
  const { supervisor, droppedLogLines = () => 0 } = parts;
  const native = loadBinding(settings.uwsBinding);
  const clients = clientFilter(settings.allowFrom);
  const certificate = await certificateFiles(settings.tlsCert, settings.tlsKey);
  const keys = await watchKeys(settings.apiKeys, settings.stateDir, log);
  if (settings.usageStore === "lmdb") makeStateFolder(settings.stateDir, "usage");
  const store = await openUsageStore(settings.usageStore, settings.stateDir);
  const usage = new UsageRecorder({ store, log });
  const { pool, live, watch } = await startPool(settings, log, parts);
  const counts = new RequestCounts();
  const history = new WorkHistory();
  const load = watchProcessLoad(() => counts.answers);
  const sources: MetricSources = {
    counts,
    pool,
    usage,
    live,
    load,
    streams: () => server.streams.size,
    droppedLogLines,
  };
  const read = () => metricsAnswer(sources);
  const reading = () => JSON.stringify(read());
  const server = openServer({
    ...sources,
    settings,
    native,
    clients,
    certificate,
    log,
    keys: keys.ring,
    work: workOf(reading, history, supervisor),
  });
  const port = await server.listener.listen(settings.host, settings.port, settings.processes > 1);
  const { adminHost, adminPort } = settings;
  const metrics = metricsRegistry(metricsTable, sources);
  const admin =
    adminPort === 0 ? undefined : await serveMetrics(adminHost, adminPort, metrics, server.status, log);
  const certificateWatch =
    certificate && (await watchCertificate(certificate, () => server.listener.renewCertificate(), log));
  const endRecord = recordWork(read, (period) =>
    supervisor === undefined ? history.add(0, period) : supervisor.notify("period", period),
  );
  return {
    port,
    reading,
    /** Makes the first API key if there is none, stored or given, and returns it once `show` has shown it. */
    createFirstKey: async (show: (key: string) => Promise<boolean>) => {
      if (!keys.isFirstStart) return undefined;
      const key = await createFirstKey(settings.stateDir, new Date(), show);
      await keys.look();
      return key;
    },
    /** Warns of old bank data within a second, and once a day from then on. */
    reportAge: () => watch.reportAge(),
    /** Loads the bank data again, whether or not its files have changed. */
    reload: () => void watch.loadAgain(),
    /** Stops accepting connections; the open ones continue. */
    closePort: () => server.listener.stop(),
    /**
     * Stops: takes no new connection, ends each open one with its next answer, and ends the process's threads when all
     * are closed or have been idle for a second, after `STOP_TIMEOUT` at the latest. May be called once.
     */
    stop: async () => {
      endRecord();
      certificateWatch?.close();
      keys.close();
      watch.close();
      const deadline = performance.now() + settings.stopTimeout;
      server.stopListening();
      await within(settings.stopTimeout, server.idle(idleGraceMs)).catch(() => {});
      server.close();
      await pool.close();
      await usage.close(deadline - performance.now());
      await admin?.close();
    },
  };
}

const supervisorMs = 2_000;

/** The work of this process, and of all: what the supervisor knows, or of one process alone its own. */
function workOf(
  own: () => string,
  history: WorkHistory,
  supervisor: Channel<SupervisorOffers> | undefined,
): WorkReader {
  if (supervisor === undefined) {
    const processes = async () => processesAnswer([[0, own()]]);
    return { own, processes, history: async () => history.answer };
  }
  const ask = (name: "processes" | "history") => within(supervisorMs, supervisor.call(name));
  return {
    own,
    processes: () => ask("processes").catch(() => processesAnswer([])),
    history: () => ask("history").catch(() => history.answer),
  };
}
