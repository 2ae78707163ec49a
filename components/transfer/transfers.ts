import { addressOf } from "@/components/client/api.ts";
import { type ExportTransfer, type ImportTransfer, isGoingOn, type Transfer } from "./transfer.ts";

/** What the work of a transfer is given. */
export interface Doing<T extends Transfer> {
  /** Tells how far it is. */
  tell: (change: Partial<T>) => void;
  /** Aborts when the reader gives it up. */
  signal: AbortSignal;
}

/** How files are imported. */
export interface ImportChoice {
  /** What waits in them waits here, and their alerts call managers. */
  opensAlerts: boolean;
}

/** The transfers of this tab, newest last. They live as long as the tab, whatever page it shows. */
let transfers: readonly Transfer[] = [];
let asked: readonly File[] = [];
const listeners = new Set<() => void>();
const controllers = new Map<string, AbortController>();
/** Imports wait for the one before. */
let lastImport: Promise<unknown> = Promise.resolve();

/** Hears of every change. */
export function onTransfers(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function readTransfers(): readonly Transfer[] {
  return transfers;
}

/** Asks the reader how files are to be imported. */
export function askToImport(files: readonly File[]): void {
  if (files.length > 0) ask([...asked, ...files]);
}

/** The files about which the reader is asked. */
export function readAsked(): readonly File[] {
  return asked;
}

/** Imports none of the files about which the reader is asked. */
export function leaveAsked(): void {
  ask([]);
}

/** Imports them, one after another. */
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

/** Saves what the API answers there as a file: one conversation, or all that filters find. */
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

/** Gives a transfer up: of an import nothing is there then, of an export no file. */
export function cancelTransfer(id: string): void {
  controllers.get(id)?.abort();
}

/** Forgets those that are over. */
export function dismissTransfers(): void {
  set(transfers.filter(isGoingOn));
}

function fresh(name: string) {
  return { id: crypto.randomUUID(), name, stage: "queued" as const, problem: null };
}

/** Puts a transfer in the list; what it gives back does its work. */
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
