import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { CODE_LABEL, FactorCodeField } from "~/components/accounts/factor-code-field";
import { PasskeyButton } from "~/components/accounts/passkey-prompt";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { factorCodeValidator as validator } from "~/domain/accounts/factors/validators";
import { paths } from "~/lib/paths";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

export default function LoginFactor() {
  const { kinds, isSignOn } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} labels={{ code: CODE_LABEL }} />
      <PageHeader title="Second factor">
        <p>{!isSignOn && "Your password is right. "}Please confirm with your second factor that it is you.</p>
      </PageHeader>
      {kinds.includes("passkey") && <PasskeyButton>Use a passkey</PasskeyButton>}
      <PortalForm id={FORM} validator={validator}>
        <FactorCodeField of={kinds.includes("totp") ? "app" : "recovery"} />
        <ButtonRow>
          <SubmitButton busyText="Logging in…">Log in</SubmitButton>
        </ButtonRow>
      </PortalForm>
      <p>
        Without {kinds.includes("totp") ? "app" : "passkey"} and recovery codes, contact us: we can reset your second
        factors once we know that it is you.{" "}
        <Link to={paths.login(search.get("redirectTo") ?? undefined)}>Back to the login</Link>
      </p>
    </div>
  );
}

export const meta = pageTitle("Second factor");
