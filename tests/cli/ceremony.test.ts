import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256Hex } from "~/ca/thumbprint.server";
import { readTransferFile } from "~/domain/ceremony/transfer-file.server";
import { COMMAND_LINE } from "../../scripts/build.mjs";
import { crlStep, issuingStep, PASSPHRASE, rootStep, useCeremonies } from "../support/ceremony";
import { runCommand } from "../support/command";
import { openssl } from "../support/openssl-command";

const { dataDir, folder, formerRoot, input, planOf, prepareRootKey, request, write } = useCeremonies();

/** The variables of the machine without a network. A database there would be an error. */
const OFFLINE = {
  DATA_DIR: dataDir,
  ROOT_PASSPHRASE: PASSPHRASE,
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
};

const ceremony = (file: string, ...args: string[]) => runCommand(["ca", "ceremony", "--plan", file, ...args], OFFLINE);

/** Starts the real command. `answer` resolves with everything that was printed when it asks, and types a line. */
function start(file: string) {
  const command: ChildProcess = spawn(process.execPath, [COMMAND_LINE, "ca", "ceremony", "--plan", file], {
    env: { ...process.env, ...OFFLINE },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void command.kill("SIGKILL"));
  let printed = "";
  command.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const exited = once(command, "close");
  /** Resolves when the command asks a question that begins so. */
  const asked = (question: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => printed.includes(question) && resolve();
      command.stdout?.on("data", look);
      void exited.then(() => reject(new Error(`It ended before '${question}': ${printed}`)));
      look();
    });
  return {
    asked,
    type: (line: string) => command.stdin?.write(`${line}\n`),
    /** Kills the process, as a power cut does. */
    async cut() {
      command.kill("SIGKILL");
      await exited;
    },
    printed: () => printed,
    ended: async () => ((await exited)[0] as number | null) ?? -1,
  };
}

test("[CAL-01] the command, killed at each of its questions, goes on without a database and signs each step once", async () => {
  const csr = request("Killed Issuing");
  const steps = [rootStep("root"), issuingStep("root", csr, "Killed Issuing"), crlStep("root")];
  const { file, output } = write(planOf(steps));
  await prepareRootKey(file, "root");
  const planSha256 = sha256Hex(readFileSync(file));
  const questions = [
    "Compare the plan's SHA-256",
    "Make the key of 'root'?",
    "Sign 'root'?",
    "Sign 'issuing-2027'?",
    "Sign 'root-crl'?",
  ];
  const seen: string[] = [];
  const made = new Map<string, string>();
  for (const last of questions) {
    const command = start(file);
    for (const question of ["Compare the plan's SHA-256", ...questions.slice(1).filter((one) => !seen.includes(one))]) {
      await command.asked(question);
      if (question === last) break;
      command.type(question.startsWith("Compare") ? planSha256.slice(0, 12) : "yes");
      if (question !== questions[0]) seen.push(question);
    }
    await command.cut();
    for (const name of existsSync(output) ? readdirSync(output).filter((one) => one.endsWith(".pem")) : []) {
      const text = readFileSync(join(output, name), "utf8");
      expect([name, made.get(name) ?? text]).toEqual([name, text]);
      made.set(name, text);
    }
  }
  const command = start(file);
  await command.asked("Compare the plan's SHA-256");
  command.type(planSha256.slice(0, 8));
  await command.asked("Sign 'root-crl'?");
  command.type("yes");
  expect(await command.ended()).toBe(0);
  expect(
    openssl(["verify", "-no_check_time", "-CAfile", join(output, "root.pem"), join(output, "issuing-2027.pem")]),
  ).toContain(": OK");
  expect([...made.keys()].toSorted()).toEqual(["issuing-2027.pem", "root.pem"]);
  const printed = /transfer\.json\n {2}SHA-256 ([0-9a-f ]+)\n/.exec(command.printed())?.[1] ?? "";
  const { certificates, crls } = await readTransferFile(join(output, "transfer.json"), printed);
  expect([certificates.length, crls.length]).toEqual([2, 1]);
  expect(certificates.map(({ name, pem }) => [name, pem])).toEqual([
    ["root", made.get("root.pem")],
    ["issuing-2027", made.get("issuing-2027.pem")],
  ]);
  expect(readdirSync(join(dataDir, "ca"))).toEqual(["root.key.pem"]);
}, 180_000);

const examples = readdirSync("docs/ceremony").filter((name) => name.endsWith(".yaml"));

test.each(examples)(
  "[CAL-01] the example docs/ceremony/%s passes its check, which opens no key and writes nothing",
  async (name) => {
    const before = readdirSync("docs/ceremony", { recursive: true }).toSorted();
    const { code, out, err } = await ceremony(join("docs/ceremony", name), "--check");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(sha256Hex(readFileSync(join("docs/ceremony", name))).replace(/(.{4})(?=.)/g, "$1 "));
    expect(out).toMatch(/\n\nThe plan can be carried out\. Nothing was changed, and no key was opened\.\n$/);
    expect(out).not.toContain("Notice:");
    expect(readdirSync("docs/ceremony", { recursive: true }).toSorted()).toEqual(before);
  },
);

test("[CAL-01] two ceremonies never write into one output folder: the second is told who runs, until the first has ended", async () => {
  const { file, output } = write(planOf([rootStep("root")]));
  const first = start(file);
  await first.asked("Compare the plan's SHA-256");
  const second = await ceremony(file);
  expect([second.code, second.err]).toEqual([
    1,
    expect.stringMatching(/Another ceremony with the output folder .* runs/),
  ]);
  expect(second.err).toContain(`If there is no such process, remove ${output}.lock.`);
  expect(existsSync(output)).toBe(false);
  await first.cut(); // its lock stays, and is replaced
  const third = start(file);
  await third.asked("Compare the plan's SHA-256");
  third.type("no");
  expect(await third.ended()).toBe(1);
  expect(existsSync(`${output}.lock`)).toBe(false);
});

test("[CAL-01] a wrong plan ends the command with a line for each problem, and --help explains the options", async () => {
  const { file } = write("title: x\nsteps: []\n", "wrong");
  const wrong = await ceremony(file, "--check");
  expect([wrong.code, wrong.out]).toEqual([1, ""]);
  expect(wrong.err.trimEnd().split("\n")).toEqual(
    [
      "date is missing",
      "operator is missing",
      "witnesses is missing",
      "output is missing",
      "steps must have at least one step",
    ].map((problem) => `portal: ${file}: ${problem}`),
  );
  const help = await runCommand(["ca", "ceremony", "--help"], OFFLINE);
  expect(help.out).toMatch(/--plan <file>[\s\S]*--check[\s\S]*--passphrase-file <file>/);
  expect((await runCommand(["ca", "ceremony"], OFFLINE)).err).toContain(
    "required option '--plan <file>' not specified",
  );
});

test("[CAL-01] the passphrase can come from a file, and without one the command says which variable is missing", async () => {
  const { file } = write(planOf([rootStep("root-file")]));
  const answers = `${sha256Hex(readFileSync(file)).slice(0, 8)}\nyes\nyes\n`;
  const command = (...args: string[]) =>
    runCommand(["ca", "ceremony", "--plan", file, ...args], { ...OFFLINE, ROOT_PASSPHRASE: "" }, answers);
  const missing = await command();
  expect([missing.code, missing.err]).toEqual([
    1,
    expect.stringMatching(/^portal: ROOT_PASSPHRASE is missing, which opens the keys/),
  ]);
  input("short.txt", "too short\n");
  const short = await command("--passphrase-file", join(folder, "short.txt"));
  expect(short.err).toBe("portal: The passphrase of a new key must have 12 characters or more. No key was made.\n");
  rmSync(join(dataDir, "ca"), { recursive: true });
  mkdirSync(join(dataDir, "ca"));
  await prepareRootKey(file, "root-file");
  input("passphrase.txt", `${PASSPHRASE}\n`);
  const given = await command("--passphrase-file", join(folder, "passphrase.txt"));
  expect([given.code, given.err]).toEqual([0, ""]);
});

test("[CAL-01] the passphrase of a root is changed on the machine of the ceremony, which has no database", async () => {
  const root = await formerRoot("root-changing");
  const { name, file } = root;
  const certificate = join(folder, file);
  const key = join(dataDir, "ca", `${name}.key.pem`);
  const before = readFileSync(key, "utf8");
  const next = "another passphrase of the root";
  input("next.txt", `${next}\n`);
  const change = (...args: string[]) =>
    runCommand(["ca", "change-passphrase", "root", "--operator", "Olga", ...args], OFFLINE);
  const toNext = ["--new-passphrase-file", join(folder, "next.txt")];
  const other = await formerRoot("root-elsewhere");
  rmSync(join(dataDir, "ca", `${other.name}.key.pem`));
  const both = await change("--certificate", certificate, "--certificate", join(folder, other.file), ...toNext);
  expect([both.code, both.err]).toEqual([1, expect.stringContaining("has no key file with the public key SHA-256 ")]);
  expect(readFileSync(key, "utf8")).toBe(before);

  const changed = await change("--certificate", certificate, ...toNext);
  expect(changed).toMatchObject({ code: 0, err: "" });
  expect(changed.out).toContain(`Changed the passphrase of ${key}\n`);
  expect(changed.out).toMatch(/Note with the records of the root: Olga, 20/);
  expect(openssl(["pkey", "-in", key, "-passin", `pass:${next}`, "-noout", "-check"])).toContain("valid");
  expect((await change("--certificate", certificate, ...toNext)).out).not.toContain("Changed");

  const { file: plan } = write(planOf([crlStep(root)], { output: "changed" }));
  const answers = `${sha256Hex(readFileSync(plan)).slice(0, 8)}\nyes\n`;
  const sign = (...args: string[]) => runCommand(["ca", "ceremony", "--plan", plan, ...args], OFFLINE, answers);
  expect((await sign()).err).toContain("does not open");
  expect(await sign("--passphrase-file", join(folder, "next.txt"))).toMatchObject({ code: 0, err: "" });
}, 60_000);
