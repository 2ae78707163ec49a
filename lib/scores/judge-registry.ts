import type { Judge } from "./judge.ts";

/** The judges of this server. */
export interface JudgeRegistry {
  list(): Judge[];
  find(name: string): Judge | undefined;
  /** Durable when it resolves; tells whether it is new. */
  put(judge: Judge, actor: string): Promise<boolean>;
  /** Durable when it resolves; false: there is none. */
  remove(name: string, actor: string): Promise<boolean>;
  /** Takes over what another replica has stored. */
  accept(judge: Judge): void;
  /** Takes over that another replica has removed it. */
  forget(name: string): void;
}

/** Where they are stored. */
interface StoredJudges {
  load(): Promise<Judge[]>;
  save(judge: Judge, actor: string): Promise<void>;
  remove(name: string, actor: string): Promise<void>;
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
    async remove(name, actor) {
      if (!judges.has(name)) return false;
      await stored.remove(name, actor);
      return judges.delete(name);
    },
    forget: (name) => void judges.delete(name),
    accept: (judge) => void judges.set(judge.name, judge),
  };
}
