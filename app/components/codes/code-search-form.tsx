import { type CodeSearchParams } from "~/domain/codes/code-search-list";
import { CODE_LIMIT, SEARCH_LIMITS } from "~/domain/codes/search-texts";
import { type CodeSearchErrors } from "~/domain/codes/search.policy";
import { SearchFields } from "../forms/search-fields";
import { SearchForm } from "../forms/search-form";
import { type Option } from "../forms/select-field";

interface Props {
  params: CodeSearchParams;
  errors: CodeSearchErrors;
  countries: readonly Option[];
  keep: URLSearchParams;
}

export const CODE_SEARCH_FORM = "code-search";

const fieldsWith = (countries: readonly Option[]) =>
  [
    {
      name: "code",
      label: "Code",
      hint: "Or code and sub code together",
      className: "mono",
      maxLength: CODE_LIMIT,
      autoCapitalize: "characters",
      spellCheck: false,
    },
    {
      name: "company",
      label: "Company",
      hint: "Whole words or their beginnings",
      maxLength: SEARCH_LIMITS.company,
    },
    { name: "city", label: "City", maxLength: SEARCH_LIMITS.city },
    { name: "country", label: "Country", choices: { any: "Any country", options: countries } },
  ] as const;

/** The code search (SRC-01). */
export function CodeSearchForm({ params, errors, countries, keep }: Props) {
  const fields = fieldsWith(countries);
  return (
    <SearchForm className="form" noValidate keep={keep}>
      <SearchFields formId={CODE_SEARCH_FORM} fields={fields} values={params} errors={errors} className="pairs" />
    </SearchForm>
  );
}
