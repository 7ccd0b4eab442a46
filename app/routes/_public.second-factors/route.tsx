import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { FactorsTable } from "~/components/accounts/factors-table";
import { PasskeyAdd } from "~/components/accounts/passkey-prompt";
import { FirstFactorAdded, RecoveryCodes } from "~/components/accounts/recovery-codes";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { HiddenField } from "~/components/forms/portal-field";
import { TextField } from "~/components/forms/text-field";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { ConfirmPanel } from "~/components/ui/confirm-panel";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { type FactorView } from "~/domain/accounts/factors/factors.service.server";
import { factorNameValidator } from "~/domain/accounts/factors/validators";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { FORM, PASSKEY_FORM, RENAME_FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

interface Answer {
  /** The question to ask. There is no factor when it is about the recovery codes. */
  asked?: { what: "ask-rename" | "ask-remove" | "ask-renew-codes"; factor?: FactorView };
  codes?: string[];
  /** Whether the codes are those of a first passkey. */
  isFirst?: boolean;
  /** The name that came back with an error. */
  formId?: string;
  repopulateFields?: { id?: string; name?: string };
}

const BUTTONS: Column<FactorView> = {
  key: "change",
  label: "Change",
  cell: ({ id, name }) => (
    <Form method="post" className="row">
      <CsrfField />
      <input type="hidden" name="id" value={id} />
      <SubmitButton intent="ask-rename" variant="secondary" small>
        Rename<span className="vh"> {name}</span>
      </SubmitButton>
      <SubmitButton intent="ask-remove" variant="secondary" small>
        Remove<span className="vh"> {name}</span>
      </SubmitButton>
    </Form>
  ),
};

export default function SecondFactors() {
  const { factors, codesLeft, isActing, isOverdue, missing, target } = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  if (answer?.codes && answer.isFirst)
    return <FirstFactorAdded title="The passkey has been added" codes={answer.codes} target={target} />;
  const renamed = answer?.formId === RENAME_FORM ? answer.repopulateFields?.id : undefined;
  const factor = answer?.asked?.factor ?? factors.find(({ id }) => String(id) === renamed);
  if (answer?.asked?.what === "ask-renew-codes") return <RenewCodes />;
  if (factor && answer?.asked?.what === "ask-remove") return <Remove factor={factor} isLast={factors.length === 1} />;
  if (factor) return <Rename factor={factor} />;
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} />
      <ErrorSummary formId={PASSKEY_FORM} />
      <PageHeader
        title="Second factors"
        {...(!isOverdue && { back: { to: paths.userManagement, label: "User Details" } })}
      >
        <p>
          With a second factor, somebody who only knows your password cannot use your account. You are asked for it when
          you log in.
        </p>
      </PageHeader>
      {isActing && <p>Only the user can change the second factors.</p>}
      {missing && <Note tone="warn">{missing}</Note>}
      {answer?.codes && <RecoveryCodes codes={answer.codes} />}
      <FactorsTable factors={factors} {...(!isActing && { more: BUTTONS })} />
      {!isActing && (
        <div className="pairs">
          <Card title="Authenticator app">
            <p>An app on your telephone or computer shows a new code every 30 seconds. It works in every browser.</p>
            <LinkButton to={rarePaths.newAuthenticatorApp(target)} variant="primary">
              Add an authenticator app
            </LinkButton>
          </Card>
          <Card title="Passkey">
            <p>
              Your fingerprint, face or PIN on a device, or a security key. It cannot be used on a copy of this site.
            </p>
            <PasskeyAdd formId={PASSKEY_FORM} />
          </Card>
          {factors.length > 0 && <Codes left={codesLeft} />}
        </div>
      )}
      <p className="hint">
        {factors.length === 0
          ? "When you add the first one, all your other browsers and programs are logged out."
          : "Adding or removing another factor does not end other sessions."}{" "}
        {!isOverdue && <Link to={paths.sessions}>End sessions that you do not know.</Link>}
      </p>
      {factors.length > 0 && target !== paths.dashboard && (
        <p>
          <Link to={target}>Continue</Link>
        </p>
      )}
    </div>
  );
}

function Codes({ left }: { left: number }) {
  return (
    <Card title="Recovery codes">
      <p>
        {left === 0 ? "You have no recovery codes left." : `Recovery codes that you have not used: ${left}.`} Use one
        when you do not have your app or passkey at hand.
      </p>
      <Form method="post">
        <CsrfField />
        <SubmitButton intent="ask-renew-codes" variant="secondary">
          Make new codes
        </SubmitButton>
      </Form>
    </Card>
  );
}

function RenewCodes() {
  return (
    <ConfirmPanel
      title="Make new recovery codes"
      question="Are you sure you wish to make new recovery codes?"
      confirmLabel="Make new codes"
      fields={{ intent: "renew-codes" }}
    >
      <p>The codes that you have now end at once. The new ones are shown once: print them or write them down.</p>
    </ConfirmPanel>
  );
}

function Remove({ factor, isLast }: { factor: FactorView; isLast: boolean }) {
  return (
    <ConfirmPanel
      title="Remove second factor"
      question={`Are you sure you wish to remove ${factor.name}?`}
      confirmLabel="Remove"
      fields={{ intent: "remove", id: String(factor.id) }}
    >
      {isLast && <p>It is your last one. Your password alone will be enough to log in, and your recovery codes end.</p>}
    </ConfirmPanel>
  );
}

function Rename({ factor }: { factor: FactorView }) {
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={RENAME_FORM} labels={{ name: "Name" }} />
      <PageHeader title="Rename second factor" />
      <PortalForm
        id={RENAME_FORM}
        validator={factorNameValidator}
        defaultValues={{ id: String(factor.id), name: factor.name }}
      >
        <HiddenField name="id" />
        <TextField name="name" label="Name" maxLength={60} autoComplete="off" />
        <ButtonRow>
          <SubmitButton intent="rename">Rename</SubmitButton>
          <LinkButton to={paths.secondFactors()}>Cancel</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Second factors");
