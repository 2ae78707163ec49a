import { addressOf } from "@/components/client/api.ts";
import { type ExportTransfer, type ImportTransfer, isGoingOn, type Transfer } from "./transfer.ts";

/** What a running transfer gets. */
export interface Doing<T extends Transfer> {
  /** Reports the progress. */
  tell: (change: Partial<T>) => void;
  /** Aborts when the transfer is cancelled. */
  signal: AbortSignal;
}

/** Import options. */
export interface ImportChoice {
  /** Pending approvals and alerts in the files become active here. */
  opensAlerts: boolean;
}

/** The transfers of this tab, newest last, kept across navigation. */
let transfers: readonly Transfer[] = [];
let asked: readonly File[] = [];
const listeners = new Set<() => void>();
const controllers = new Map<string, AbortController>();
/** Imports run one after another. */
let lastImport: Promise<unknown> = Promise.resolve();

/** Subscribes to changes. */
export function onTransfers(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function readTransfers(): readonly Transfer[] {
  return transfers;
}

/** Opens the import dialog. */
export function askToImport(files: readonly File[]): void {
  if (files.length > 0) ask([...asked, ...files]);
}

/** The files of the import dialog. */
export function readAsked(): readonly File[] {
  return asked;
}

/** Cancels the import dialog. */
export function leaveAsked(): void {
  ask([]);
}

/** Imports the files, one after another. */
export function importAsked(choice: ImportChoice): void {
  const files = asked;
  ask([]);
  for (const file of files) {
    const start = begin<ImportTransfer>(
      { kind: "import", ...fresh(file.name), size: file.size, sent: 0, state: null, outcome: null },
      async (id, doing) => (await import("./import-file.ts")).importFile(file, id, choice, doing),
    );
    lastImport = lastImport.then(start);
  }
}

/** Saves an API response as a file: one conversation, or all that match filters. */
export async function exportFile(
  path: string,
  { name, query = {} }: { name: string; query?: Record<string, string | undefined> },
): Promise<void> {
  const { chooseTarget, exportTo } = await import("./export-file.ts");
  const target = await chooseTarget(addressOf(path, query), name);
  if (!target) return;
  const start = begin<ExportTransfer>(
    { kind: "export", ...fresh(target.name), bytes: 0, conversations: 0, total: null },
    (_, doing) => exportTo(target, doing),
  );
  await start();
}

/** Saves a conversation as a file. */
export function exportConversation(id: string): Promise<void> {
  return exportFile(`/api/conversations/${encodeURIComponent(id)}/export`, {
    name: `${id.replaceAll(/[^\w.-]/g, "_")}.ndjson`,
  });
}

/** Saves a session as a suite with one case, which begins after a step. */
export function exportCase(id: string, step: number): Promise<void> {
  return exportFile(`/api/conversations/${encodeURIComponent(id)}/case?step=${step}`, {
    name: `${id.replaceAll(/[^\w.-]/g, "_")}.suite.json`,
  });
}

/** Cancels a transfer: an import stores nothing, an export leaves no file. */
export function cancelTransfer(id: string): void {
  controllers.get(id)?.abort();
}

/** Removes completed transfers. */
export function dismissTransfers(): void {
  set(transfers.filter(isGoingOn));
}

function fresh(name: string) {
  return { id: crypto.randomUUID(), name, stage: "queued" as const, problem: null };
}

/** Adds a transfer; the returned function runs it. */
function begin<T extends Transfer>(
  queued: T,
  work: (id: string, doing: Doing<T>) => Promise<void>,
): () => Promise<void> {
  const { id } = queued;
  const controller = new AbortController();
  const { signal } = controller;
  let current = queued;
  const show = (next: T) => {
    current = next;
    set(transfers.map((one) => (one.id === id ? next : one)));
  };
  controllers.set(id, controller);
  signal.addEventListener("abort", () => show(staged(current, "cancelled")));
  set([...transfers, queued]);
  return async () => {
    if (signal.aborted) return;
    show(staged(current, "running"));
    try {
      await work(id, { tell: (change) => !signal.aborted && show({ ...current, ...change }), signal });
      show(staged(current, "done"));
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) show(staged(current, "failed", problem));
    } finally {
      controllers.delete(id);
    }
  };
}

function staged<T extends Transfer>(transfer: T, stage: Transfer["stage"], problem: string | null = null): T {
  return { ...transfer, stage, problem };
}

function set(next: readonly Transfer[]): void {
  transfers = next;
  for (const listener of listeners) listener();
}

function ask(files: readonly File[]): void {
  asked = files;
  for (const listener of listeners) listener();
}
