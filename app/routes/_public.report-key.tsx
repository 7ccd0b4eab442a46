import { json, type ActionFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PROOF_FIELDS, PROOF_FORM, PROOF_LABELS, ProofForm } from "~/components/report-key/proof-form";
import { HitList, ReportDone, reportQuestion } from "~/components/report-key/report-hits";
import { pageTitle } from "~/components/shell/page-title";
import { useShell } from "~/components/shell/shell";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { csrFields } from "~/domain/certificates/request/csr-fields.server";
import { readSentCsr } from "~/domain/certificates/request/sent-csr.server";
import { CHALLENGE_LIFE_DAYS, keyChallenge } from "~/domain/certificates/revocation/key-proof/challenge.server";
import {
  findKeyHits,
  type KeyHits,
  reportKey,
  type ReportOutcome,
  requireKeyProof,
} from "~/domain/certificates/revocation/key-proof/key-proof.service.server";
import { holdsPrivateKey } from "~/domain/certificates/revocation/key-proof/proof.server";
import { keyProofValidator as validator } from "~/domain/certificates/validators";
import { clientOf } from "~/http/client.server";
import { readForm } from "~/http/forms.server";
import { BODY_LIMIT } from "~/http/limits";
import { addressOf } from "~/http/rate-limit.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { paths } from "~/lib/paths";

export const loader = () => json({ challenge: keyChallenge(), days: CHALLENGE_LIFE_DAYS });

/** Returns the fields without those that hold a private key, which is never shown again. */
const withoutPrivateKeys = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value !== "string" || !holdsPrivateKey(value)),
  );

export async function action({ request }: ActionFunctionArgs) {
  const submitted = await readForm(request, { limit: BODY_LIMIT });
  const { csr, isMissing, shown } = readSentCsr(await csrFields(submitted));
  submitted.set("csr", shown);
  submitted.delete("csrFile");
  const form = await validator.validate(submitted);
  const typed = withoutPrivateKeys(form.submittedData);
  if (form.error) return invalid(form.error, typed);
  if (submitted.has("back")) return typedAgain(typed, PROOF_FORM);
  const { challenge, signature, publicKey } = form.data;
  try {
    const sent = { csr: isMissing ? null : csr, signed: { challenge, signature, publicKey } };
    const proof = await requireKeyProof(sent, addressOf(request));
    if (submitted.get("confirmed") === "yes") return json({ outcome: await reportKey(proof, clientOf(request)) });
    return json({ asked: { csr: shown, challenge, signature, publicKey }, hits: await findKeyHits(proof) });
  } catch (error) {
    return refused(error, typed, PROOF_FORM);
  }
}

interface Answer {
  outcome?: ReportOutcome;
  asked?: Record<string, string>;
  hits?: KeyHits;
}

/** Reports a private key as compromised, by whoever can prove to have it. */
export default function ReportKey() {
  const { challenge, days } = useLoaderData<typeof loader>();
  const { outcome, asked, hits } = useActionData<Answer>() ?? {};
  const { user } = useShell();
  if (outcome) return <ReportDone outcome={outcome} />;
  return (
    <ConfirmStep
      asked={asked}
      title="Report a compromised key"
      question={hits ? reportQuestion(hits) : ""}
      confirmLabel="Report and revoke"
      details={hits && <HitList hits={hits} />}
    >
      <div className="stack-l">
        <ErrorSummary formId={PROOF_FORM} order={PROOF_FIELDS} labels={PROOF_LABELS} />
        <PageHeader
          title="Report a compromised key"
          back={{ to: user ? paths.certificates : paths.login(), label: "Back" }}
        >
          <p>
            Whoever has the private key of a certificate can have the certificate revoked here, without an account: the
            owner who cannot log in, or a finder. Prove that you have the key by signing the challenge below with it.
          </p>
        </PageHeader>
        <Note tone="warn" title="Never send the private key itself.">
          <p>
            Neither to us nor to anybody else. The proof shows that you have the key without showing the key. With an
            account it is quicker to choose the certificate and revoke it there.
          </p>
        </Note>
        <ProofForm challenge={challenge} days={days} validator={validator} />
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle("Report a compromised key");
