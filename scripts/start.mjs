// npm start: builds if needed, sets up what is missing, serves the portal, and prints the address.
import { fork } from "node:child_process";
import { join, relative, sep } from "node:path";
import process from "node:process";
import { COMMAND_LINE, ensureBuilt, SERVER } from "./build.mjs";
import { stopWithNpm } from "./npm.mjs";

const root = join(import.meta.dirname, "..");
const say = (text) => process.stdout.write(`${text}\n`);

/**
 * Runs the set-up in a separate process, because root keys are opened only there and are gone when it ends. Resolves with the administrator
 * it created, or null.
 */
function setUp() {
  return new Promise((resolve, reject) => {
    let administrator = null;
    const child = fork(COMMAND_LINE, ["setup"], { cwd: root });
    child.on("message", (message) => (administrator = message.administrator ?? null));
    child.on("exit", (code) => (code === 0 ? resolve(administrator) : process.exit(code ?? 1)));
    child.on("error", reject);
  });
}

process.chdir(root);
process.env.NODE_ENV ||= "production";
stopWithNpm("start");
ensureBuilt(["server", "command-line", "worker"], () => say("Building the portal …"));
// The server's modules are loaded at the same time. They read and open nothing before the server starts.
const [administrator, { start, getEnv, fourEyes }] = await Promise.all([setUp(), import(SERVER)]);
const address = await start();

const { smtpUrl, dataDir } = getEnv();
const outbox = join(dataDir, "outbox");
const message = smtpUrl
  ? "the message that arrives"
  : `the message (${outbox.startsWith(root + sep) ? relative(root, outbox) : outbox})`;

say("");
say(`  The portal is open at ${address}`);
if (administrator) {
  const { email, password, passwordFile } = administrator;
  say(`  Administrator: ${email}`);
  if (password) say(`  Password: ${password}   (shown only once; it must be changed at the first login)`);
  else say(`  Password: the one in ${passwordFile ?? "ADMIN_PASSWORD"}`);
} else say("  Administrator: the account made at the first start");
say("");
say("  What to try first:");
say(`    1. Register a company, follow the link in ${message}, complete the registration.`);
say("    2. Make a request: openssl req -new -newkey rsa:3072 -noenc -keyout key.pem -out request.csr \\");
say('         -subj "/C=GB/O=Example Parts Ltd/CN=oftp.example.com"');
if (fourEyes() === "strict") {
  say(
    "    3. Buy a certificate with it. Two members of staff issue it in the certificate queue, because accounts.fourEyes is strict:",
  );
  say("       one records the checks, another one approves. Give a second person's account the right to check:");
  say('       npm run portal -- users grant EMAIL "Registration officer" --operator WHO');
} else {
  say(
    "    3. Buy a certificate with it. The authentication contact gets a message, too: follow its link and authorise the order.",
  );
  say(
    "    4. Log in as administrator. In the certificate queue, record the two checks that are missing, and approve the order.",
  );
}
say("");
