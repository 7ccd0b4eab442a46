import { type Csr } from "~/ca/csr/read.server";
import { foldName } from "~/lib/fold-text";
import { type CsrInput, pemOf, readCsrInput, unreadableRule } from "../request/csr-import.service.server";
import { type Original } from "./original.server";
import { differencesRule } from "./successor-csr.server";

const REQUESTS = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----[\s\S]*?-----END (?:NEW )?CERTIFICATE REQUEST-----/g;

/** Returns the CSRs in a text: each PEM block, or the whole text when it has none. What stands between the blocks is left out. */
const inputsOf = (text: string): CsrInput[] => {
  if (text.trim() === "") return [];
  return (text.match(REQUESTS) ?? [text]).map(readCsrInput);
};

/** The CSRs of a form. */
export interface GivenCsrs {
  readable: { csr: Csr; input: CsrInput }[];
  /** Their PEM texts one below the other, and what could not be read of the text box. Empty when the form held a private key. */
  text: string;
  /** Why something in the text box cannot be read, a message for each. */
  problems: string[];
  /** Why something in the files cannot be read, a message for each, with the name of the file. */
  fileProblems: string[];
}

/** A file of the form. */
interface ChosenFile {
  name: string;
  bytes: Uint8Array;
}

/** Returns the CSRs in a file, or the whole file when it has none that can be read. */
function inputsOfFile(bytes: Uint8Array): CsrInput[] {
  const inputs = inputsOf(Buffer.from(bytes).toString("latin1"));
  return inputs.some(({ read }) => read.ok) ? inputs : [readCsrInput(bytes)];
}

/** Returns why these inputs cannot be read, each reason once. */
const whyUnread = (inputs: readonly CsrInput[]): string[] => [
  ...new Set(inputs.filter(({ read }) => !read.ok).map((input) => unreadableRule(input).message)),
];

/**
 * Reads the CSRs of a text box and of files, which can hold several each. The same CSR counts once. When one of them holds a private key,
 * nothing is kept.
 */
export function readGivenCsrs(typed: string, files: readonly ChosenFile[]): GivenCsrs {
  const secrets = (inputs: CsrInput[]) =>
    inputs.filter(({ kind }) => kind === "private-key").map((input) => unreadableRule(input).message);
  const inText = secrets([readCsrInput(typed)]);
  const inFiles = files.flatMap(({ name, bytes }) => secrets([readCsrInput(bytes)]).map((rule) => `${name}: ${rule}`));
  if (inText.length + inFiles.length > 0) return { readable: [], text: "", problems: inText, fileProblems: inFiles };
  const read = files.map(({ name, bytes }) => ({ name, inputs: inputsOfFile(bytes) }));
  const ofText = inputsOf(typed);
  const inputs = [...ofText, ...read.flatMap((file) => file.inputs)];
  const byHash = new Map(inputs.flatMap((input) => (input.read.ok ? [[input.read.csr.sha256, input] as const] : [])));
  const readable = [...byHash.values()].flatMap((input) => (input.read.ok ? [{ csr: input.read.csr, input }] : []));
  const isTypedUnread = readable.length === 0 && files.length === 0;
  return {
    readable,
    text: isTypedUnread ? typed : readable.map(({ input }) => pemOf(input) ?? "").join(""),
    problems: whyUnread(ofText),
    fileProblems: read.flatMap((file) => whyUnread(file.inputs).map((reason) => `${file.name}: ${reason}`)),
  };
}

/** What a certificate has got: a CSR with its names, or one for its common name whose other details differ. */
export interface SortedCsr {
  input: CsrInput;
  csr: Csr;
  /** How the CSR differs, or null when it has the names of the certificate. */
  differences: string | null;
}

/**
 * Sorts CSRs to the certificates that they renew: by all names that must stay the same, otherwise by the common name, so that the
 * differences can be told.
 *
 * @returns The CSR of each certificate, by its id, the common names of CSRs for a certificate that has one already, and of CSRs that belong to
 *   none.
 */
export function sortCsrs(given: GivenCsrs["readable"], originals: readonly Original[]) {
  const sorted = new Map<number, SortedCsr>();
  const open = () => originals.filter(({ row }) => !sorted.has(row.id));
  const inexact = given.filter(({ csr, input }) => {
    const original = open().find((candidate) => differencesRule(csr, candidate) === null);
    if (original) sorted.set(original.row.id, { csr, input, differences: null });
    return original === undefined;
  });
  const foreign = inexact.filter(({ csr, input }) => {
    const name = foldName(csr.subject.commonName);
    const original = open().find(({ row }) => foldName(row.commonName) === name);
    const rule = original && differencesRule(csr, original);
    if (original && rule) sorted.set(original.row.id, { csr, input, differences: rule.message });
    return original === undefined;
  });
  const names = new Set(originals.map(({ row }) => foldName(row.commonName)));
  const commonNames = [...new Set(foreign.map(({ csr }) => csr.subject.commonName ?? ""))];
  return {
    sorted,
    surplus: commonNames.filter((name) => names.has(foldName(name))),
    foreign: commonNames.filter((name) => !names.has(foldName(name))),
  };
}
