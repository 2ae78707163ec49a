import { Argument, Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { ROLES } from "../../lib/access/caller.ts";
import { VERSION } from "../../lib/server/version.ts";
import { runCommand } from "./command.ts";

// All commands, `obelus NAME`; `npm run NAME --` is the same in a clone. The code of each is loaded when it is run.

const program = new Command("obelus")
  .description("A studio for AI agents: records what they do, runs their plans, and replays any conversation.")
  .version(VERSION)
  .showHelpAfterError()
  .option("--data <folder>", "the data directory, instead of OBELUS_DATA_DIR")
  .hook("preAction", (command) => {
    const { data } = command.opts();
    if (data !== undefined) process.env.OBELUS_DATA_DIR = data;
  })
  .addHelpText("after", "\nSettings are environment variables, such as PORT and OBELUS_AUTH: see docs/operating.md.");

program
  .command("start", { isDefault: true })
  .description("serve the console and the API (the default)")
  .option("--port <number>", "the port, instead of PORT (3000)")
  .option("--host <address>", "the address to listen on, instead of HOST (127.0.0.1)")
  .action(async ({ port, host }) => {
    if (port !== undefined) process.env.PORT = port;
    if (host !== undefined) process.env.HOST = host;
    await import("../../lib/server/main.ts");
  });

program
  .command("import")
  .description("import files of conversations into the running server (OBELUS_URL, OBELUS_KEY)")
  .argument("<files...>", "exports of the OpenAI chat format, Obelus or LangGraph")
  .option("--alerts <state>", "open: imported confirmations and alerts are pending")
  .action((files, options) => runCommand(async () => (await import("./import.ts")).importFiles(files, options)));

program
  .command("backup")
  .description("copy the database into a folder, also while the server is running")
  .argument("<folder>", "where backups are kept, a folder for each")
  .option("--with-key", "include secret.key, which decrypts the secrets of registered tools", false)
  .option("--keep <count>", "remove older backups but this many", wholeNumber, null)
  .action((folder, options) => runCommand(async () => (await import("./backup.ts")).makeBackup(folder, options)));

program
  .command("restore")
  .description("restore a backup into the data directory, which must be empty or missing")
  .argument("<backup>", "a folder created by backup")
  .action((backup) => runCommand(async () => (await import("./restore.ts")).restoreBackup(backup)));

program
  .command("check")
  .description("verify the database, or a backup; changes nothing")
  .argument("[backup]", "a folder created by backup")
  .option("--snapshots", "verify all snapshots, not a sample", false)
  .option("--replay", "give each run of the engine its recorded answers again, and compare what it decides", false)
  .option("--json", "print the result as JSON", false)
  .action((backup, options) => runCommand(async () => (await import("./check.ts")).check(backup, options)));

const suites = program.command("suite").description("recorded sessions as tests of an agent");
suites
  .command("run", { isDefault: true })
  .description("run a suite against an agent's definition, with the configured model; tools answer from the record")
  .argument("<suite>", "a suite's file, or with --on-server the name of a suite there")
  .requiredOption("--agent <file>", "the agent's definition; on the server also a registered agent's id")
  .option(
    "--on-server",
    "run a suite that the running server has (OBELUS_URL, OBELUS_KEY), and print a link to the run",
    false,
  )
  .option("--tries <count>", "tries of each case", wholeNumber, 1)
  .addOption(
    new Option("--unrecorded <rule>", "what answers calls that are not recorded")
      .choices(["nearest", "stub", "stop"])
      .default("stop"),
  )
  .option("--case <ids...>", "only these cases")
  .option("--junit <file>", "write a JUnit report")
  .option("--json", "print the result as JSON", false)
  .action((suite, { onServer, ...options }) =>
    runCommand(async () =>
      onServer
        ? (await import("./suite-on-server.ts")).runSuiteOnServer(suite, options)
        : (await import("./suite.ts")).runSuite(suite, options),
    ),
  );
suites
  .command("save")
  .description("add a session of the running server to a suite (OBELUS_URL, OBELUS_KEY)")
  .argument("<conversation>")
  .argument("<file>", "the suite, which is created if it is missing")
  .option("--step <number>", "begin at this step", wholeNumber, 0)
  .option("--title <title>", "the case's title, instead of the conversation's")
  .action((conversation, file, options) =>
    runCommand(async () => (await import("./suite.ts")).saveCase(conversation, file, options)),
  );

program
  .command("move")
  .description("copy all data into Postgres, or from Postgres into a data directory")
  .option("--from <place>", "postgres://… or a data directory, instead of OBELUS_DATA_DIR")
  .requiredOption("--to <place>", "postgres://… or a data directory")
  .action((options) => runCommand(async () => (await import("./move.ts")).move(options)));

program
  .command("rebuild")
  .description("rebuild all projections from the event log; stop the server before")
  .action(() => runCommand(async () => (await import("./rebuild.ts")).rebuild()));

program
  .command("erase")
  .description("erase a user or a conversation on the running server (OBELUS_URL, OBELUS_KEY)")
  .option("--user <name>", "all conversations and the memory of a user")
  .option("--conversation <id>", "one conversation")
  .option("--reason <text>", "is recorded in the audit")
  .action((options) => runCommand(async () => (await import("./erase.ts")).erase(options)));

const users = program.command("users").description("user accounts; also while the server is running");
users
  .command("list")
  .description("list all users")
  .action(() => runCommand(async () => (await import("./users.ts")).listUsers()));
users
  .command("add")
  .description("add a user; the password is asked for, or read from a pipe")
  .argument("<name>")
  .addOption(new Option("--role <role>").choices(ROLES).makeOptionMandatory())
  .action((name, { role }) => runCommand(async () => (await import("./users.ts")).addUser(name, role)));
users
  .command("role")
  .description("change the role of a user")
  .argument("<name>")
  .addArgument(new Argument("<role>").choices(ROLES))
  .action((name, role) => runCommand(async () => (await import("./users.ts")).setRole(name, role)));
users
  .command("password")
  .description("change the password of a user")
  .argument("<name>")
  .action((name) => runCommand(async () => (await import("./users.ts")).setPassword(name)));
users
  .command("remove")
  .description("remove a user")
  .argument("<name>")
  .action((name) => runCommand(async () => (await import("./users.ts")).removeUser(name)));

const keys = program.command("keys").description("API keys; also while the server is running");
keys
  .command("list")
  .description("list all keys")
  .action(() => runCommand(async () => (await import("./keys.ts")).listKeys()));
keys
  .command("add")
  .description("add a key, which is printed once")
  .argument("<name>")
  .requiredOption("--scopes <scopes>", "such as ingest,read,decide")
  .option("--expires <day>", "such as 2027-01-31")
  .action((name, options) => runCommand(async () => (await import("./keys.ts")).addKey(name, options)));
keys
  .command("revoke")
  .description("revoke a key")
  .argument("<name>")
  .action((name) => runCommand(async () => (await import("./keys.ts")).revokeKey(name)));

const memory = program.command("memory").description("users' memories as files, of the running server");
memory
  .command("export")
  .description("write the memories of all users, or of one, into a folder")
  .argument("<folder>")
  .option("--user <id>", "only this one")
  .action((folder, options) => runCommand(async () => (await import("./memory.ts")).exportMemory(folder, options)));
memory
  .command("import")
  .description("replace users' memories by those of files and folders")
  .argument("<places...>")
  .action((places) => runCommand(async () => (await import("./memory.ts")).importMemory(places)));

program
  .command("telegram")
  .description("the Telegram bot")
  .command("set-webhook")
  .description("register the address for the bot's updates with Telegram")
  .argument("<url>", "such as https://obelus.example.org")
  .action((url) => runCommand(async () => (await import("./telegram.ts")).registerWebhook(url)));

await program.parseAsync();

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}
