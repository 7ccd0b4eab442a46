import { checkKey } from "~/ca/csr/check-key.server";
import { listFingerprints } from "~/ca/csr/key-fingerprints.server";
import { readCsr } from "~/ca/csr/read.server";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { findListOfKey } from "~db/repositories/listed-keys.server";
import { listKeysInForce } from "~db/repositories/certificate-keys.server";

const PAGE = 200;

type StoredKey = Awaited<ReturnType<typeof listKeysInForce>>[number];

/** A key that today would be refused. */
export interface BadKey extends Pick<StoredKey, "id" | "status" | "commonName"> {
  message: string;
}

async function problemsOf({ csr, keyIdentity }: StoredKey): Promise<string[]> {
  const read = readCsr(csr);
  if (!read.ok) return [read.message];
  const list = await findListOfKey(getDb(), listFingerprints(read.csr));
  return [
    ...checkKey(read.csr.publicKey, getConfig().certificates).map(({ message }) => message),
    ...((await isKeyBlocked(getDb(), keyIdentity)) ? ["The key is blocked."] : []),
    ...(list === null ? [] : [`The key is on the list '${list}' of known bad keys.`]),
  ];
}

/** Applies today's rules and lists to the keys of open orders and of certificates in force. Changes nothing. */
export async function checkStoredKeys(onBad: (key: BadKey) => void): Promise<{ checked: number; bad: number }> {
  const result = { checked: 0, bad: 0 };
  for (let after = 0; ;) {
    const keys = await listKeysInForce(getDb(), after, PAGE);
    for (const key of keys) {
      const [message] = await problemsOf(key);
      result.checked += 1;
      after = key.id;
      if (message === undefined) continue;
      result.bad += 1;
      onBad({ id: key.id, status: key.status, commonName: key.commonName, message });
    }
    if (keys.length < PAGE) return result;
  }
}
