import { expect, test } from "vitest";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { checksDone, createCertificateOrder } from "../support/certificates";
import { signCsr } from "../support/csr";
import { createAdmin, createUser } from "../support/factories";
import { nextRsaKey } from "../support/keys";
import { SUBJECT } from "../support/openssl-command";
import { statementsOf } from "../support/statements";
import { usePortal } from "../support/portal";

usePortal();

test("x", async () => {
    const customer = await createUser();
    const approver = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
    const ids = [];
    for (let i = 0; i < 2; i++) ids.push((await createCertificateOrder(customer, signCsr({ subject: SUBJECT, san: [], digest: "sha256", key: nextRsaKey() }).pem, checksDone())).id);
    await approveOrder(ids[0]!, approver!);
    const s = await statementsOf(() => approveOrder(ids[1]!, approver!));
    console.log(s.map((t, i) => `${i + 1} ${t.slice(0, 200)}`).join("\n"));
});
