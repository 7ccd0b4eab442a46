import { useLoaderData } from "@remix-run/react";
import { CONFIRMATION_LABELS, SignerConfirmation } from "~/components/certificates/signer-confirmation";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { staffPaths } from "~/lib/staff-paths";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

export default function AcceptPasskey() {
  const { id, name, person, since, kinds } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} order={Object.keys(CONFIRMATION_LABELS)} labels={CONFIRMATION_LABELS} />
      <PageHeader title="Accept a passkey" back={{ to: staffPaths.signer, label: "Signer" }}>
        <p>
          <bdi>{person}</bdi> has offered the passkey <bdi>{name}</bdi> to the signer on <Time value={since} withTime />
          . Certificates that are confirmed with it are issued.
        </p>
      </PageHeader>
      <p>
        Speak to <bdi>{person}</bdi> and let them read the number of the passkey to you. Accept it only if it is{" "}
        <strong className="mono">{id}</strong>.
      </p>
      {kinds.length === 0 && (
        <Note tone="warn" title="The signer accepts no passkey and no app of yours.">
          An operator of the signer can accept this passkey on the signer's machine.
        </Note>
      )}
      <SignerConfirmation formId={FORM} kinds={kinds} what="this passkey" />
    </div>
  );
}

export const meta = pageTitle("Accept a passkey");
