import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { PasskeyButton } from "~/components/accounts/passkey-prompt";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { DataTable } from "~/components/lists/data-table";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { ConfirmPanel } from "~/components/ui/confirm-panel";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { paths } from "~/lib/paths";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

type Data = ReturnType<typeof useLoaderData<typeof loader>>;
type Factor = Data["factors"][number];
type Issuer = Data["issuers"][number];

const KINDS = { passkey: "Passkey", app: "Authenticator app" } as const;
const STATES = {
  waiting: "Waits for an operator",
  accepted: "Accepted",
  locked: "Locked: too many wrong codes",
} as const;

const columns: Column<Factor>[] = [
  { key: "person", label: "User name", rowHeader: true, cell: ({ person }) => <bdi>{person}</bdi> },
  { key: "name", label: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
  { key: "kind", label: "Kind", cell: ({ kind }) => KINDS[kind] },
  { key: "id", label: "Number", cell: ({ id }) => <span className="mono">{id}</span> },
  { key: "state", label: "State", cell: ({ state }) => STATES[state] },
  { key: "since", label: "Since", cell: ({ since }) => <Time value={since} withTime /> },
];

const change: Column<Factor> = {
  key: "change",
  label: "Change",
  cell: ({ id, name }) => (
    <Form method="post" className="row">
      <CsrfField />
      <input type="hidden" name="factor" value={id} />
      <SubmitButton intent="ask-remove" variant="secondary" small>
        Remove<span className="vh"> {name}</span>
      </SubmitButton>
    </Form>
  ),
};

const issuerColumns: Column<Issuer>[] = [
  { key: "name", label: "CA", rowHeader: true, cell: ({ name }) => name },
  { key: "certificates", label: "Certificates", cell: ({ certificates }) => certificates },
  { key: "responders", label: "Responder certificates", cell: ({ responders }) => responders },
  { key: "crls", label: "CRLs", cell: ({ crls }) => crls },
  { key: "problem", label: "Key", cell: ({ problem }) => problem ?? "Usable" },
];

export default function Signer() {
  const data = useLoaderData<typeof loader>();
  const answer = useActionData<{ asked?: Factor }>();
  if (answer?.asked) return <Remove {...answer.asked} />;
  const { needsGrants, ceiling, issuers, factors, mayGrant, place } = data;
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} />
      <PageHeader title="Signer" back={{ to: paths.dashboard, label: "Back" }}>
        <p>
          The signer ({place}) is a program of its own that alone holds the keys of the issuing CAs.{" "}
          {needsGrants
            ? "It signs a certificate when a person whose passkey or app it accepts has confirmed it."
            : "It signs on the word of the portal. Its operators can have people confirm each certificate, with SIGNER_GRANTS=required."}{" "}
          Certificates today: {ceiling.used} of at most {ceiling.perDay}.
        </p>
      </PageHeader>
      <DataTable
        caption="Keys and what they have signed"
        columns={issuerColumns}
        rows={issuers}
        rowKey={({ name }) => name}
      />
      <DataTable
        caption="Who confirms certificates to the signer"
        columns={mayGrant ? [...columns, change] : columns}
        rows={factors}
        rowKey={({ id }) => id}
        empty="Nobody. Approvers offer a passkey here, or an operator adds an authenticator app on the signer's machine."
      />
      {mayGrant && <Offer passkeys={data.offerable} hasPasskey={data.hasPasskey} username={data.username} />}
    </div>
  );
}

interface OfferProps {
  /** Those that the signer does not know yet. */
  passkeys: Data["offerable"];
  hasPasskey: boolean;
  username: string;
}

function Offer({ passkeys, hasPasskey, username }: OfferProps) {
  return (
    <div className="pairs">
      <Card title="Use a passkey of yours">
        <p>
          The signer accepts a passkey when one of its operators has confirmed on the machine of the signer that it is
          yours. Read the number of the passkey to them; they type it there:
        </p>
        <Command text="npm run -s portal -- signer accept NUMBER --operator NAME" />
        {passkeys.map(({ id, name }) => (
          <PasskeyButton key={id} fields={{ passkey: String(id) }}>
            {`Offer ${name} to the signer`}
          </PasskeyButton>
        ))}
        {passkeys.length === 0 && (
          <LinkButton to={paths.secondFactors()}>
            {hasPasskey ? "Add another passkey to your account" : "Add a passkey to your account first"}
          </LinkButton>
        )}
      </Card>
      <Card title="Use an authenticator app">
        <p>
          Go to the machine of the signer with one of its operators. Its secret is shown there only, so this portal
          never has it:
        </p>
        <Command text={`npm run -s portal -- signer add-app --person ${username} --operator NAME`} />
      </Card>
    </div>
  );
}

/** A command of the command line on one line, because people take a break at a hyphen for a part of it. Narrow screens scroll it. */
const Command = ({ text }: { text: string }) => (
  <pre className="pem" tabIndex={0} role="group" aria-label="Command">
    {text}
  </pre>
);

const Remove = ({ id, name, person }: Pick<Factor, "id" | "name" | "person">) => (
  <ConfirmPanel
    title="Remove from the signer"
    question={`Are you sure you wish to remove ${name} of ${person} from the signer?`}
    confirmLabel="Remove"
    fields={{ intent: "remove", factor: id }}
  >
    <p>
      What was confirmed with it has to be confirmed again: certificates that are not issued yet, and standing
      authorisations.
    </p>
  </ConfirmPanel>
);

export const meta = pageTitle("Signer");
