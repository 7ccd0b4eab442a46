import { type Command } from "commander";
import { type SignerFactor, type SignerStandingGrant } from "~/signer/protocol";
import { askLine, askToType, endAsking, YES } from "../ask";
import { say, table, timestamp } from "../output";

/** The signer keeps the name in its journal, because it has no database. */
export const SIGNER_OPERATOR = [
  "--operator <name>",
  "who runs the command; kept in the journal of the signer",
] as const;

const APP_ISSUER = "Signer";

async function ask<Answer>(path: string, toPost?: object): Promise<Answer> {
  const { getEnv } = await import("~/lib/env.server");
  const { askAsOperator } = await import("~/signer/operator-client.server");
  return askAsOperator<Answer>(getEnv().signer.directory, path, toPost);
}

const listFactors = async () => (await ask<{ factors: SignerFactor[] }>("/factors")).factors;

async function findFactor(id: string): Promise<SignerFactor> {
  const factor = (await listFactors()).find((one) => one.id === id);
  if (!factor) throw new Error(`The signer has no passkey or app ${id}: 'signer factors' lists them.`);
  return factor;
}

async function list(): Promise<void> {
  const rows = (await listFactors()).map(({ id, person, name, kind, state, since }) => [
    id,
    person,
    name,
    kind,
    state,
    timestamp(since),
  ]);
  say(table(["NUMBER", "PERSON", "NAME", "KIND", "STATE", "SINCE"], rows));
}

interface Flags {
  operator: string;
  yes?: boolean;
}

function requireOperator({ operator }: Flags): string {
  if (operator.trim() === "") throw new Error("--operator must not be empty.");
  return operator.trim();
}

interface AppFlags extends Flags {
  person: string;
  name: string;
}

async function addApp(flags: AppFlags): Promise<void> {
  const operator = requireOperator(flags);
  const { person, name } = flags;
  await listFactors(); // before a secret is shown for nothing
  const { newTotpSecret, totpAddress } = await import("~/lib/totp.server");
  const { toString } = await import("qrcode");
  const secret = newTotpSecret();
  say(`${person} scans this with an authenticator app, or types the secret. Nobody else should see the screen.`);
  say(await toString(totpAddress(secret, person, APP_ISSUER), { type: "utf8", errorCorrectionLevel: "M" }));
  say(`Secret: ${(secret.match(/.{1,4}/g) ?? []).join(" ")}`);
  const code = (await askLine("The six digits that the app shows now"))?.replace(/\s/g, "") ?? "";
  endAsking();
  const { factor } = await ask<{ factor: string }>("/apps", { person, name, secret, code, operator });
  say(`The signer accepts the codes of this app for ${person}. Its number is ${factor}.`);
}

async function accept(id: string, flags: Flags): Promise<void> {
  const operator = requireOperator(flags);
  const { person, name, state } = await findFactor(id);
  if (state !== "waiting") throw new Error(`${id} does not wait: its state is '${state}'.`);
  say(`${person} has offered the passkey '${name}'. Accept it only when ${person} has read the number ${id} to you.`);
  if (!flags.yes) await askToType("accept", "Certificates that are confirmed with it are issued.");
  await ask(`/factors/${id}/accept`, { operator });
  say(`The signer accepts the passkey of ${person}.`);
}

async function remove(id: string, flags: Flags): Promise<void> {
  const by = requireOperator(flags);
  const { person, name, kind } = await findFactor(id);
  if (!flags.yes) await askToType("remove", `The ${kind} '${name}' of ${person} is removed.`);
  await ask(`/factors/${id}/remove`, { by });
  say(`Removed the ${kind} of ${person}.`);
}

async function listStanding(): Promise<void> {
  const { grants } = await ask<{ grants: SignerStandingGrant[] }>("/standing-grants");
  const rows = grants.map(({ person, since, scope, used, problem }) => [
    String(scope.authorisation),
    scope.organisation,
    person,
    timestamp(since),
    timestamp(scope.endsAt),
    `${used} of ${scope.certificates}`,
    scope.domains.map(({ name }) => name).join(" "),
    problem ?? "",
  ]);
  say(table(["NUMBER", "ORGANISATION", "CONFIRMED BY", "AT", "ENDS", "SIGNED", "DOMAINS", "WHY NOT"], rows));
}

async function withdrawStanding(number: string, flags: Flags): Promise<void> {
  const by = requireOperator(flags);
  if (!/^\d{1,15}$/.test(number)) throw new Error(`'${number}' is not the number of a standing authorisation.`);
  await ask(`/standing-grants/${number}/withdraw`, { by });
  say(`The signer signs nothing more on the confirmation of standing authorisation ${number}.`);
}

/** Adds the commands about who confirms certificates to the signer. They speak to the signer that runs, as its user. */
export function addPeopleCommands(signer: Command): void {
  signer
    .command("factors")
    .description("list the passkeys and authenticator apps with which people confirm certificates to the signer")
    .action(list);
  signer
    .command("add-app")
    .description("add an authenticator app of a person, who scans its secret on this screen")
    .requiredOption("--person <user name>", "the user name of the person in the portal")
    .option("--name <name>", "what to call the app", "Authenticator app")
    .requiredOption(...SIGNER_OPERATOR)
    .action(addApp);
  signer
    .command("accept")
    .argument("<number>", "of the passkey, as its person reads it out")
    .description("accept a passkey that a person has offered, after comparing its number with the person")
    .requiredOption(...SIGNER_OPERATOR)
    .option(...YES)
    .action(accept);
  signer
    .command("remove")
    .argument("<number>", "of the passkey or the app, as 'signer factors' shows it")
    .description("remove a passkey or an app; nothing more is signed on what it has confirmed")
    .requiredOption(...SIGNER_OPERATOR)
    .option(...YES)
    .action(remove);
  signer
    .command("standing")
    .description(
      "list the standing authorisations that people have confirmed, and how many certificates were signed on each",
    )
    .action(listStanding);
  signer
    .command("withdraw")
    .argument("<number>", "of the standing authorisation, as 'signer standing' shows it")
    .description(
      "withdraw the confirmation of a standing authorisation; its certificates wait for an approver from then on",
    )
    .requiredOption(...SIGNER_OPERATOR)
    .action(withdrawStanding);
}
