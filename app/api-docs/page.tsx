import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { operations } from "@/lib/api/operations.ts";
import { type Field, operationReferences, payloadReferences } from "@/lib/api/reference/reference.ts";
import { PageHeader } from "../page-header.tsx";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("reference");
  return { title: t("title") };
}

// Static, so it is built once per process.
const CALLS = operationReferences(operations);
const EVENTS = payloadReferences();

/** The API reference (E10): operations and events, generated from their schemas. */
export default async function ApiDocsPage() {
  const t = await getTranslations("reference");
  const words: Words = { required: t("required"), caption: t("fields") };
  return (
    <div className="flex h-page flex-col">
      <PageHeader />
      <main id="main" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
        <div className="page-measure pt-6 pb-16 text-13 leading-[var(--lh-body)]">
          <h1 className="font-semibold text-20 leading-6.5 tracking-tight">{t("title")}</h1>
          <p className="mt-1 max-w-160 text-13 text-fg-2 leading-5">
            {t("intro")}{" "}
            <a href="/api/openapi.json" className="font-medium text-accent underline underline-offset-2">
              OpenAPI 3.1
            </a>
          </p>
          <h2 className="mt-7 border-line-strong border-b pb-1.5 font-semibold text-14">{t("calls")}</h2>
          {CALLS.map(({ name, method, path, summary, parameters, bodies, answers }) => (
            <section key={name} aria-labelledby={name} className="border-line border-b py-4">
              <h3 id={name} className="flex items-baseline gap-2 font-mono text-12">
                <span className="w-13 flex-none font-semibold text-fg-3">{method}</span>
                <span className="min-w-0 break-all font-semibold">{path}</span>
              </h3>
              <div className="mt-1 pl-15">
                <p className="max-w-160 text-13 text-fg-2 leading-5">
                  <WithCode text={summary} />
                </p>
                {bodies.length > 0 && (
                  <p className="mt-2 text-fg-3">
                    {t("body")} <span className="font-mono text-11">{bodies.join(", ")}</span>
                  </p>
                )}
                <Fields fields={parameters.map((field) => ({ ...field, place: t(field.in) }))} words={words} />
                <ul aria-label={t("answers")} className="mt-2 grid gap-1">
                  {answers.map(({ status, description }) => (
                    <li key={status} className="flex gap-2 text-fg-2">
                      <span className="w-9 flex-none font-mono text-11 text-fg-3">{status}</span>
                      <span>
                        <WithCode text={description} />
                      </span>
                    </li>
                  ))}
                </ul>
              </div>
            </section>
          ))}
          <h2 className="mt-8 border-line-strong border-b pb-1.5 font-semibold text-14">{t("events")}</h2>
          {EVENTS.map(({ type, fields }) => (
            <section key={type} aria-labelledby={type} className="border-line border-b py-3">
              <h3 id={type} className="font-mono font-semibold text-12">
                {type}
              </h3>
              {fields.length > 0 ? (
                <Fields fields={fields.map((field) => ({ ...field, place: null }))} words={words} />
              ) : (
                <p className="mt-1 text-fg-3">{t("anything")}</p>
              )}
            </section>
          ))}
        </div>
      </main>
    </div>
  );
}

interface Words {
  required: string;
  caption: string;
}

function Fields({ fields, words }: { fields: (Field & { place: string | null })[]; words: Words }) {
  if (fields.length === 0) return null;
  return (
    <ul aria-label={words.caption} className="mt-2 grid gap-1">
      {fields.map(({ name, place, type, required, description }) => (
        <li key={`${place} ${name}`} className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium font-mono text-11">{name}</span>
          <span className="font-mono text-11 text-fg-3">{type}</span>
          {place !== null && <span className="text-11 text-fg-3">{place}</span>}
          {required && <span className="text-11 text-st-waiting">{words.required}</span>}
          {description !== null && (
            <span className="text-fg-2">
              <WithCode text={description} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A description from a schema, with `code` in backticks. */
function WithCode({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="font-mono text-11 text-fg">
        {part}
      </code>
    ),
  );
}
