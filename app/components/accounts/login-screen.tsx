import { Link } from "@remix-run/react";
import { type Validator } from "remix-validated-form";
import { paths } from "~/lib/paths";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { PasswordField } from "../forms/password-field";
import { TextField } from "../forms/text-field";
import { PromotionBanner } from "../shell/promotion-banner";
import { LinkButton, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";

const LABELS = { email: "Email", password: "Password" } as const;

interface Props<Data extends Record<string, unknown>> {
  validator: Validator<Data>;
  /** The page that the visitor asked for. It is kept after a refused login. */
  redirectTo: string | null;
  /** What staff call the identity provider with which they log in, or null when there is none. */
  signOn: string | null;
  banner: React.ComponentProps<typeof PromotionBanner> | null;
}

/**
 * The login form, then the welcome text and info blocks (PUB-01, PUB-02). Wide screens show the form on the right. Pasting and password
 * managers work here.
 */
export function LoginScreen<Data extends Record<string, unknown>>({
  validator,
  redirectTo,
  signOn,
  banner,
}: Props<Data>) {
  return (
    <div className="stack-l">
      <ErrorSummary formId="login" order={["email", "password"]} labels={LABELS} />
      <div className="sign-in">
        <Card title="Log in" level={1}>
          <PortalForm id="login" validator={validator} method="post">
            {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
            {/* A text field, because imported user names need not be email addresses. */}
            <TextField
              name="email"
              label={LABELS.email}
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={200}
            />
            <PasswordField name="password" label={LABELS.password} autoComplete="current-password" maxLength={50} />
            <SubmitButton>Login</SubmitButton>
          </PortalForm>
          <p>
            <Link to={paths.forgotPassword}>Forgotten your password?</Link>
          </p>
          <hr />
          <LinkButton to={paths.register} variant="secondary">
            Register a new account
          </LinkButton>
          {signOn && (
            <p>
              Members of staff: <a href={paths.singleSignOn(redirectTo ?? undefined)}>Log in with {signOn}</a>
            </p>
          )}
        </Card>
        <div className="stack-l">
          <h2>Certificates and identification codes for the automotive supply chain</h2>
          <p>
            New customers can register. Existing customers can log in with email and password. Several existing accounts
            with the same email can be merged into one account.
          </p>
          <div className="tiles">
            <Card title="Digital certificates" level={3}>
              <p>File encryption, proof of origin and integrity checking for file transfer with OFTP2 partners.</p>
            </Card>
            <Card title="Identification codes" level={3}>
              <p>
                A coding system for companies and sub-entities such as plants, warehouses, departments and file-transfer
                workstations.
              </p>
            </Card>
          </div>
          {banner && <PromotionBanner {...banner} />}
        </div>
      </div>
    </div>
  );
}
