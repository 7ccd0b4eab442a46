import { Form, useLocation, useSubmit } from "@remix-run/react";
import { type Shell } from "~/domain/shell";
import { paths } from "~/lib/paths";
import { CsrfField } from "../forms/csrf-field";
import { FollowingSelect } from "../forms/following";

const themes = { system: "System", light: "Light", dark: "Dark" } as const;

/** The choice between light and dark colours, stored in a cookie. */
export function ThemeForm({ theme }: { theme: Shell["theme"] }) {
  const { pathname, search } = useLocation();
  const submit = useSubmit();
  return (
    <Form method="post" action={paths.theme} className="theme" preventScrollReset>
      <CsrfField />
      <input type="hidden" name="returnTo" value={pathname + search} />
      <label htmlFor="theme">Colours</label>
      <FollowingSelect
        id="theme"
        name="theme"
        value={theme}
        onChange={(event) => submit(event.currentTarget.form, { preventScrollReset: true })}
      >
        {Object.entries(themes).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </FollowingSelect>
      <button type="submit" className="btn small no-js">
        Apply
      </button>
    </Form>
  );
}
