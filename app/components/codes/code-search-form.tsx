import { Form } from "@remix-run/react";
import { type CodeSearchErrors } from "~/domain/codes/search.policy";
import { type CodeSearchParams } from "~/domain/codes/code-search-list";
import { CODE_LIMIT, SEARCH_LIMITS } from "~/domain/codes/search-texts";
import { SubmitButton } from "../ui/buttons";
import { Field } from "../forms/field";
import { FollowingInput, FollowingSelect } from "../forms/following";

interface Props {
  params: CodeSearchParams;
  errors: CodeSearchErrors;
  countries: readonly { value: string; label: string }[];
  /** Parameters of the URL that stay as they are. */
  keep: Record<string, string>;
}

export const searchFieldId = (field: string) => `code-search-${field}`;

/** The code search's fields (B §2) as a form of method get: the search is in the address. */
export function CodeSearchForm({ params, errors, countries, keep }: Props) {
  const attributes = (name: "code" | "company" | "city" | "country", hint = false) => {
    const id = searchFieldId(name);
    const describedBy = [hint && `${id}-hint`, errors[name] && `${id}-error`].filter(Boolean).join(" ");
    return {
      id,
      name,
      value: params[name],
      "aria-invalid": errors[name] ? (true as const) : undefined,
      "aria-describedby": describedBy || undefined,
    };
  };
  return (
    <Form method="get" role="search" className="form" noValidate>
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="pairs">
        <Field id={searchFieldId("code")} label="Code" hint="Or code and sub code together" error={errors.code}>
          <FollowingInput
            {...attributes("code", true)}
            className="mono"
            maxLength={CODE_LIMIT}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </Field>
        <Field
          id={searchFieldId("company")}
          label="Company"
          hint="Whole words or their beginnings"
          error={errors.company}
        >
          <FollowingInput {...attributes("company", true)} maxLength={SEARCH_LIMITS.company} autoComplete="off" />
        </Field>
        <Field id={searchFieldId("city")} label="City" error={errors.city}>
          <FollowingInput {...attributes("city")} maxLength={SEARCH_LIMITS.city} autoComplete="off" />
        </Field>
        <Field id={searchFieldId("country")} label="Country" error={errors.country}>
          <FollowingSelect {...attributes("country")}>
            <option value="">Any country</option>
            {countries.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </FollowingSelect>
        </Field>
      </div>
      <div>
        <SubmitButton>Search</SubmitButton>
      </div>
    </Form>
  );
}
