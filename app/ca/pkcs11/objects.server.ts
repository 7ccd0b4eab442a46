import { createPublicKey, type KeyObject } from "node:crypto";
import type { Template } from "pkcs11js";
import { CaError } from "../errors.server";
import { type Handle, type Library } from "./library.server";

/** A private key in the token and its public half. */
export interface TokenKey {
  handle: Handle;
  publicKey: KeyObject;
}

const MOST_KEYS = 100;
const EXPONENT = Buffer.from([1, 0, 1]);

function find({ functions }: Library, session: Handle, template: Template): Handle[] {
  functions.C_FindObjectsInit(session, template);
  try {
    return functions.C_FindObjects(session, MOST_KEYS);
  } finally {
    functions.C_FindObjectsFinal(session);
  }
}

const labelled = ({ ck }: Library, label: string, objectClass: number): Template => [
  { type: ck.CKA_CLASS, value: objectClass },
  { type: ck.CKA_KEY_TYPE, value: ck.CKK_RSA },
  { type: ck.CKA_LABEL, value: label },
];

/** Returns the RSA private keys with this label that are visible to the logged-in user. */
export function findKeys(library: Library, session: Handle, label: string): TokenKey[] {
  const handles = find(library, session, labelled(library, label, library.ck.CKO_PRIVATE_KEY));
  return handles.map((handle) => ({ handle, publicKey: publicKeyOf(library, session, handle) }));
}

/** Returns the label of the private key with this public half, or null when the token has no such key. */
export function findLabel(library: Library, session: Handle, publicKey: KeyObject): string | null {
  const { ck, functions } = library;
  const [handle] = find(library, session, [
    { type: ck.CKA_CLASS, value: ck.CKO_PRIVATE_KEY },
    { type: ck.CKA_KEY_TYPE, value: ck.CKK_RSA },
    { type: ck.CKA_MODULUS, value: modulusOf(publicKey) },
  ]);
  if (!handle) return null;
  const [label] = functions.C_GetAttributeValue(session, handle, [{ type: ck.CKA_LABEL }]);
  return String(label?.value ?? "");
}

/** Returns the public half, which an RSA private key contains (PKCS #11 v2.40 §2.1.3). */
function publicKeyOf({ ck, functions }: Library, session: Handle, handle: Handle): KeyObject {
  const wanted = [{ type: ck.CKA_MODULUS }, { type: ck.CKA_PUBLIC_EXPONENT }];
  const [n, e] = functions.C_GetAttributeValue(session, handle, wanted).map(({ value }) => wholeNumber(value));
  return createPublicKey({ key: { kty: "RSA", n: n ?? "", e: e || EXPONENT.toString("base64url") }, format: "jwk" });
}

const wholeNumber = (bytes: Buffer) =>
  bytes
    .subarray(
      Math.max(
        bytes.findIndex((octet) => octet !== 0),
        0,
      ),
    )
    .toString("base64url");

/**
 * Generates an RSA key pair with exponent 65537 that never leaves the token and can only sign. Throws a CaError `token` when the token made
 * a key that can leave it.
 */
export async function generateKey(library: Library, session: Handle, label: string, bits: number): Promise<TokenKey> {
  const { ck, functions } = library;
  const common = [
    { type: ck.CKA_TOKEN, value: true },
    { type: ck.CKA_LABEL, value: label },
    { type: ck.CKA_ID, value: Buffer.from(label) },
  ];
  const { privateKey: handle } = await functions.C_GenerateKeyPairAsync(
    session,
    { mechanism: ck.CKM_RSA_PKCS_KEY_PAIR_GEN },
    [
      ...common,
      { type: ck.CKA_MODULUS_BITS, value: bits },
      { type: ck.CKA_PUBLIC_EXPONENT, value: EXPONENT },
      { type: ck.CKA_VERIFY, value: true },
      { type: ck.CKA_ENCRYPT, value: false },
      { type: ck.CKA_WRAP, value: false },
    ],
    [
      ...common,
      { type: ck.CKA_PRIVATE, value: true },
      { type: ck.CKA_SENSITIVE, value: true },
      { type: ck.CKA_EXTRACTABLE, value: false },
      { type: ck.CKA_SIGN, value: true },
      { type: ck.CKA_DECRYPT, value: false },
      { type: ck.CKA_UNWRAP, value: false },
    ],
  );
  const promised = [{ type: ck.CKA_ALWAYS_SENSITIVE }, { type: ck.CKA_NEVER_EXTRACTABLE }];
  const kept = functions.C_GetAttributeValue(session, handle, promised).every(({ value }) => value[0] === 1);
  if (!kept) {
    removeObjects(library, session, label);
    throw new CaError("token", "The token made a key that can leave it: it has been removed.");
  }
  return { handle, publicKey: publicKeyOf(library, session, handle) };
}

const modulusOf = (publicKey: KeyObject) => Buffer.from(publicKey.export({ format: "jwk" }).n ?? "", "base64url");

const CLASSES = ({ ck }: Library) => [ck.CKO_PRIVATE_KEY, ck.CKO_PUBLIC_KEY];

/** Removes both halves of the keys with this label. */
export function removeObjects(library: Library, session: Handle, label: string): void {
  for (const objectClass of CLASSES(library))
    for (const handle of find(library, session, labelled(library, label, objectClass)))
      library.functions.C_DestroyObject(session, handle);
}

/** Changes the label of both halves of a key. */
export function relabelKey(library: Library, session: Handle, from: string, to: string, publicKey: KeyObject): void {
  const { ck, functions } = library;
  const change = [
    { type: ck.CKA_LABEL, value: to },
    { type: ck.CKA_ID, value: Buffer.from(to) },
  ];
  for (const objectClass of CLASSES(library).toReversed())
    // the private half comes last, because the key counts as relabelled when it is done
    for (const handle of find(library, session, [
      ...labelled(library, from, objectClass),
      { type: ck.CKA_MODULUS, value: modulusOf(publicKey) },
    ]))
      functions.C_SetAttributeValue(session, handle, change);
}
