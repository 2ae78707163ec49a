import type { Judge } from "./judge.ts";

/** The judges of this server. */
export interface JudgeRegistry {
  list(): Judge[];
  find(name: string): Judge | undefined;
  /** Durable when it resolves; tells whether it is new. */
  put(judge: Judge, actor: string): Promise<boolean>;
  /** Takes over what another replica has stored. */
  accept(judge: Judge): void;
}

/** Where they are stored. */
interface StoredJudges {
  load(): Promise<Judge[]>;
  save(judge: Judge, actor: string): Promise<void>;
}

export async function createJudgeRegistry(stored: StoredJudges): Promise<JudgeRegistry> {
  const judges = new Map((await stored.load()).map((judge) => [judge.name, judge]));
  return {
    list: () => [...judges.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
    find: (name) => judges.get(name),
    async put(judge, actor) {
      await stored.save(judge, actor);
      const isNew = !judges.has(judge.name);
      judges.set(judge.name, judge);
      return isNew;
    },
    accept: (judge) => void judges.set(judge.name, judge),
  };
}
