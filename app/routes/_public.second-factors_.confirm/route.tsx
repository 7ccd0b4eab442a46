import { useLoaderData } from "@remix-run/react";
import { CODE_LABEL, FactorCodeField } from "~/components/accounts/factor-code-field";
import { PasskeyButton } from "~/components/accounts/passkey-prompt";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { PasswordField } from "~/components/forms/password-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { currentPasswordValidator, factorCodeValidator } from "~/domain/accounts/factors/validators";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

const LABELS = { currentPassword: "Current password", code: CODE_LABEL };

export default function Confirm() {
  const { task, kinds, minutes, backTo, signOn, hasPassword } = useLoaderData<typeof loader>();
  const hasFactor = kinds.length > 0;
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={Object.keys(LABELS)} labels={LABELS} />
      <PageHeader title="Confirm that it is you">
        {task && (
          <p>
            Confirm who you are to{" "}
            <strong>
              <bdi>{task}</bdi>
            </strong>
            .
          </p>
        )}
        <p>
          Your confirmation keeps others from doing this at a screen that you have left. It counts for {minutes}{" "}
          minutes, for every task that needs one.
        </p>
      </PageHeader>
      {kinds.includes("passkey") && <PasskeyButton>Use a passkey</PasskeyButton>}
      {signOn && (
        <LinkButton to={signOn.url} reloadDocument>
          Confirm with {signOn.name}
        </LinkButton>
      )}
      {hasFactor ? (
        <PortalForm key="code" id={FORM} validator={factorCodeValidator}>
          <FactorCodeField of={kinds.includes("totp") ? "app" : "recovery"} />
          <Buttons backTo={backTo} />
        </PortalForm>
      ) : hasPassword ? (
        <PortalForm key="password" id={FORM} validator={currentPasswordValidator}>
          <PasswordField
            name="currentPassword"
            label={LABELS.currentPassword}
            autoComplete="current-password"
            maxLength={50}
          />
          <Buttons backTo={backTo} />
        </PortalForm>
      ) : (
        <p>
          <LinkButton to={backTo}>Cancel</LinkButton>
        </p>
      )}
    </div>
  );
}

const Buttons = ({ backTo }: { backTo: string }) => (
  <ButtonRow>
    <SubmitButton>Confirm</SubmitButton>
    <LinkButton to={backTo}>Cancel</LinkButton>
  </ButtonRow>
);

export const meta = pageTitle("Confirm that it is you");
