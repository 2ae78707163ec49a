import { basename, join } from "node:path";
import type { z } from "zod";
import type { SchemaChecker } from "../../plan/schema/schema-checker.ts";
import { InvalidInput, InvalidPlan } from "../errors.ts";
import { AgentsFileError, agentsFilesIn, readAgentsFile } from "./agents-file.ts";
import { type DelegateDefinition, type DelegateRegistry, delegateDefinition } from "./delegate.ts";
import { delegateFaults, planProblems } from "./delegate-check.ts";
import type { StoredDefinitions } from "./stored-definitions.ts";

/** The delegates of a server that may have replicas. */
export interface ServerDelegates extends DelegateRegistry {
  /** Takes over a delegate that another replica has registered. */
  accept(definition: DelegateDefinition): void;
}

export interface DelegateRegistryOptions {
  /** The agents' folder; its `delegates/` has a JSON file for each, named as the delegate is. */
  folder: string;
  definitions: StoredDefinitions<DelegateDefinition>;
  checker: SchemaChecker;
}

/**
 * The delegates of this server: those of the folder, and over them those that were registered (P27).
 *
 * Throws `AgentsFileError` for a file that does not hold.
 */
export async function createDelegateRegistry(options: DelegateRegistryOptions): Promise<ServerDelegates> {
  const { folder, definitions, checker } = options;
  const delegates = new Map<string, DelegateDefinition>();
  for (const definition of await readFolder(join(folder, "delegates"), checker)) {
    delegates.set(definition.name, definition);
  }
  for (const definition of await definitions.load()) delegates.set(definition.name, definition);
  return {
    list: () => [...delegates.keys()].sort().flatMap((name) => delegates.get(name) ?? []),
    find: (name) => delegates.get(name),
    async register(definition, actor) {
      const faults = delegateFaults(definition, checker);
      const [first] = faults;
      if (first) throw new InvalidInput(`${first.path} of the delegate ${definition.name} ${first.message}`, faults);
      const problems = planProblems(definition.plan ?? []);
      if (problems.length > 0) throw new InvalidPlan(problems);
      await definitions.save(definition, actor);
      delegates.set(definition.name, definition);
      return definition;
    },
    accept: (definition) => void delegates.set(definition.name, definition),
  };
}

async function readFolder(folder: string, checker: SchemaChecker): Promise<DelegateDefinition[]> {
  const names = await agentsFilesIn(folder);
  const read = names.map((name) => readDelegate(join(folder, name), basename(name, ".json"), checker));
  return (await Promise.all(read)).flatMap((definition) => definition ?? []);
}

/** Reads a delegate's file; null when it is gone by now. */
async function readDelegate(path: string, name: string, checker: SchemaChecker): Promise<DelegateDefinition | null> {
  const definition = await readAgentsFile(path, delegateDefinition.extend({ name: nameOf(name) }));
  if (definition === null) return null;
  const [fault] = delegateFaults(definition, checker);
  if (fault) throw new AgentsFileError(path, `${fault.path} ${fault.message}`);
  const [problem] = planProblems(definition.plan ?? []);
  if (problem) throw new AgentsFileError(path, `/plan, call ${problem.call}${problem.path}: ${problem.message}`);
  return definition;
}

/** A file is called as its delegate is, which may leave out its name then. */
function nameOf(name: string): z.ZodType<string> {
  const { name: allowed } = delegateDefinition.shape;
  return allowed.default(name).refine((given) => given === name, `must be ${name}, like the file name`);
}
