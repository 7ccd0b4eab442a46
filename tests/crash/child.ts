import { type Signer } from "~/ca/signer.server";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { revokeCertificate } from "~/domain/certificates/revocation/revocation.service.server";
import { runJob } from "~/domain/jobs/run.service.server";
import { closeDb } from "~db/connection.server";

const [mode, certificateId, userId] = process.argv.slice(2);

/** Ends this process as a power failure would: no handler runs, nothing is flushed. */
function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("still alive");
}

/** Replaces the signer with one that calls `sign`, which gets the real signer. */
async function wrapSigner(sign: (real: Signer, tbs: Uint8Array) => Promise<Uint8Array>): Promise<void> {
  const real = await getSigner("issuing-sha2");
  setSigner("issuing-sha2", { hash: real.hash, sign: (tbs) => sign(real, tbs) });
}

async function someone() {
  const user = await findSessionUser({ id: Number(userId), epoch: 0 });
  if (!user) throw new Error(`There is no user ${userId}.`);
  return user;
}

const approve = async () => approveOrder(Number(certificateId), await someone());

const modes: Record<string, () => Promise<unknown>> = {
  async "before-signature"() {
    await wrapSigner(() => die());
    await approve();
  },
  async "after-signature"() {
    await wrapSigner(async (real, tbs) => {
      await real.sign(tbs);
      return die();
    });
    await approve();
  },
  async "after-storing"() {
    await approve();
    die();
  },
  async "before-publishing"() {
    await wrapSigner(() => die());
    const order = { certificateId: Number(certificateId), user: await someone(), description: "", date: new Date() };
    await revokeCertificate({ ...order, reason: 4 });
  },
  /** Runs the jobs that a portal runs within a minute of its start. */
  async start() {
    for (const name of ["issuing", "revocations", "crl-base", "mail"]) {
      const report = await runJob(name, `restart ${process.pid}`);
      if (report?.error) throw report.error;
    }
  },
};

const work = modes[mode ?? ""];
if (!work) throw new RangeError(`There is no mode '${mode}'.`);
await work();
await closeDb();
