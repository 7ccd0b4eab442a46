import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { systemActor } from "~/domain/audit/audit.service.server";
import { adoptKeys } from "~/domain/authorities/adopt-keys.service.server";
import { setSigner } from "~/domain/authorities/signers.server";
import { getEnv } from "~/lib/env.server";
import { type BenchPortal } from "./portal";

const ISSUING = ["issuing-sha2", "issuing-g3"] as const;

/** Makes this process forget the keys that it has opened, and read the variables again. */
function restart(socket: string): void {
  process.env.SIGNER_SOCKET = socket;
  getEnv.clear();
  for (const name of ISSUING) setSigner(name, null);
}

/** Moves the keys of the portal to a signer of its own and runs `work` with it. The portal keeps no keys afterwards. */
export async function withSigner<T>({ dataDir, env }: BenchPortal, work: () => Promise<T>): Promise<T> {
  await adoptKeys(systemActor("bench"));
  const socket = join(dataDir, "run", "socket");
  const signer = spawn(process.execPath, ["build/portal.js", "signer", "serve"], {
    env: {
      ...process.env,
      ...env,
      SIGNER_SOCKET: socket,
      SIGNER_DAILY_CEILING: "1000000",
      SIGNER_ALLOW_NAMES: "documentation",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(signer.stdout, "data"); // it says where it listens
    restart(socket);
    return await work();
  } finally {
    restart("");
    const ended = once(signer, "exit");
    signer.kill();
    await ended;
  }
}
