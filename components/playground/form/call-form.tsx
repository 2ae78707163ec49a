"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { FIELD } from "@/components/decision/form.tsx";
import { useSelection } from "@/components/selection/use-selection.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu } from "@/components/ui/menu.tsx";
import { removeValue, setValue } from "@/lib/plan/edit/set-value.ts";
import { outputSchema, parameterSchema } from "@/lib/plan/schema/tool-schema.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import { CallActions } from "../canvas/call-actions.tsx";
import type { PlanEditor } from "../canvas/use-plan-editor.ts";
import { DetailSwitch } from "../detail-switch.tsx";
import type { OpenPlan } from "../use-plan.ts";
import { CommittedField } from "./committed-field.tsx";
import { requiredOf } from "./field-kind.ts";
import { OutputFields } from "./output-fields.tsx";
import { ParameterField } from "./parameter-field.tsx";
import { type EditedCall, useEditedCall } from "./use-edited-call.ts";

/** The id of the form, to which the keys move the focus. */
export const FORM_ID = "playground-call";

interface CallFormProps {
  plan: OpenPlan;
  editor: PlanEditor;
  /** Opens the dialog for an edge from this call. */
  onConnect: (from: string) => void;
  onCopy: (ids: readonly string[]) => void;
}

/** The selected call as a form. Each field changes only its own text in the plan. */
export function CallForm({ plan, editor, onConnect, onCopy }: CallFormProps) {
  const t = useTranslations("playground.form");
  const [{ call: id }] = useSelection();
  const edited = useEditedCall(plan, editor, id);
  /** In a field, typed text has its own undo. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !(event.target instanceof HTMLElement)) return;
    const { key, shiftKey, target } = event;
    if (target.dataset.typed !== undefined || !target.matches("input, textarea, select")) return;
    const isUndo = key.toLowerCase() === "z" && !shiftKey;
    const isRedo = (key.toLowerCase() === "z" && shiftKey) || key.toLowerCase() === "y";
    if (!isUndo && !isRedo) return;
    event.preventDefault();
    if (isUndo) editor.undo();
    else editor.redo();
  };
  return (
    <section aria-label={t("title")} className="flex h-full min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <div className="flex h-[var(--h-toolbar)] flex-none items-center gap-1 border-line border-b px-3">
        <DetailSwitch shown="call" />
      </div>
      {edited ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the fields inside it
        <div id={FORM_ID} className="min-h-0 flex-1 overflow-y-auto" onKeyDown={onKeyDown}>
          <fieldset disabled={!editor.canEdit} className="flex min-w-0 flex-col">
            <Head edited={edited} editor={editor} onConnect={onConnect} onCopy={onCopy} />
            {!editor.canEdit && <p className="px-3 pb-2 text-pretty text-st-waiting">{t("broken")}</p>}
            <Problems edited={edited} />
            <Identity edited={edited} plan={plan} />
            <Group title={t("parameters")}>
              <Parameters key={edited.id} edited={edited} plan={plan} />
            </Group>
            <Group title={t("output")}>
              <OutputFields edited={edited} editor={editor} />
            </Group>
            <Group title={t("more")}>
              <More edited={edited} plan={plan} />
            </Group>
          </fieldset>
        </div>
      ) : (
        <p className="p-3 text-pretty text-fg-3">{t(plan.read.calls.length === 0 ? "noCalls" : "noSelection")}</p>
      )}
    </section>
  );
}

interface HeadProps {
  edited: EditedCall;
  editor: PlanEditor;
  onConnect: (from: string) => void;
  onCopy: (ids: readonly string[]) => void;
}

/** The call's name, and its actions. */
function Head({ edited: { id, call }, editor, onConnect, onCopy }: HeadProps) {
  const t = useTranslations("playground.form");
  return (
    <div className="flex items-center gap-1 px-3 pt-2 pb-1">
      <h3 className="min-w-0 flex-1 truncate text-13 font-semibold" title={String(call._tool ?? "")}>
        {String(call._tool ?? "")}
      </h3>
      <Menu
        align="end"
        label={t("actions", { call: id })}
        trigger={<Icon name="more" />}
        className="inline-flex size-[var(--control)] flex-none items-center justify-center rounded-2 text-fg-2 hover:bg-hover hover:text-fg"
      >
        <CallActions ids={[id]} editor={editor} onConnect={onConnect} onCopy={onCopy} />
      </Menu>
    </div>
  );
}

/** Problems of the call as a whole: those of its fields are at the fields. */
function Problems({ edited }: { edited: EditedCall }) {
  const problems = edited.problemsAt("");
  if (problems.length === 0) return null;
  return (
    <ul className="px-3 pb-2">
      {problems.map(({ severity, sentence }) => (
        <li
          key={sentence}
          className={`text-11 text-pretty wrap-anywhere ${severity === "error" ? "text-st-failed" : "text-fg-2"}`}
        >
          {sentence}
        </li>
      ))}
    </ul>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2 border-line border-t px-3 py-2">
      <h4 className="text-11 font-medium text-fg-3">{title}</h4>
      {children}
    </section>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <span className="mb-0.5 block text-11 text-fg-3">{label}</span>
      {children}
    </div>
  );
}

interface FieldsProps {
  edited: EditedCall;
  plan: OpenPlan;
}

function Identity({ edited, plan }: FieldsProps) {
  const t = useTranslations("playground.form");
  const [, select] = useSelection();
  const { id, call } = edited;
  const tools = [...plan.known.tools.keys()];
  const tool = String(call._tool ?? "");
  return (
    <div className="grid grid-cols-2 gap-2 px-3 pb-2.5">
      <Labelled label={t("id")}>
        <CommittedField
          label={t("id")}
          mono
          value={id}
          onCommit={(typed) => {
            const next = typed.trim();
            if (next === "") return "id";
            if (plan.read.ids.includes(next)) return "taken";
            if (edited.edit((now) => setValue(now, id, ["_id"], next), t("said.renamed", { path: next })))
              select({ call: next });
            return null;
          }}
        />
      </Labelled>
      <Labelled label={t("tool")}>
        <select
          aria-label={t("tool")}
          className={FIELD}
          value={tool}
          onChange={({ target }) =>
            edited.edit((now) => setValue(now, id, ["_tool"], target.value), t("said.set", { name: t("tool") }))
          }
        >
          {(tools.includes(tool) ? tools : [tool, ...tools]).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Labelled>
    </div>
  );
}

/** The parameters of the tool's schema, then others that the call has. */
function Parameters({ edited, plan }: FieldsProps) {
  const t = useTranslations("playground.form");
  const [added, setAdded] = useState<readonly string[]>([]);
  const { call } = edited;
  const tool = plan.known.tools.get(String(call._tool ?? ""));
  const schema = tool ? parameterSchema(tool) : {};
  const declared = isJsonObject(schema.properties) ? schema.properties : {};
  const required = requiredOf(schema);
  const own = Object.keys(call).filter((name) => !name.startsWith("_"));
  const names = [...new Set([...Object.keys(declared), ...own, ...added])];
  const isOpen = schema.additionalProperties !== false;
  return (
    <>
      {names.map((name) => (
        <ParameterField
          key={name}
          edited={edited}
          path={[name]}
          asked={{ schema: declared[name] ?? true, root: schema }}
          isRequired={required.has(name)}
        />
      ))}
      {names.length === 0 && <p className="text-11 text-fg-3">{t("noParameters")}</p>}
      {isOpen && (
        <form
          className="flex gap-1"
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
            if (name === "" || name.startsWith("_")) return;
            setAdded([...added, name]);
            event.currentTarget.reset();
          }}
        >
          <input
            name="name"
            aria-label={t("otherParameter")}
            placeholder={t("otherParameter")}
            autoComplete="off"
            spellCheck={false}
            className={FIELD}
          />
          <Button type="submit" square aria-label={t("addParameter")} title={t("addParameter")}>
            <Icon name="plus" size={14} />
          </Button>
        </form>
      )}
    </>
  );
}

/** Instance, delegate, reason, and the result of a latent tool. */
function More({ edited, plan }: FieldsProps) {
  const t = useTranslations("playground.form");
  const { id, call } = edited;
  const { known, knowledge } = plan;
  const tool = known.tools.get(String(call._tool ?? ""));
  const isLatent = tool !== undefined && !tool.has_activity;
  const change = (name: keyof typeof META, value: Json | null) =>
    edited.edit(
      (now) => (value === null || value === "" ? removeValue(now, id, [name]) : setValue(now, id, [name], value)),
      t("said.set", { name: t(META[name]) }),
    );
  const choice = (name: "_instance" | "_delegate", values: readonly string[], none: string) => {
    const value = typeof call[name] === "string" ? call[name] : "";
    return (
      <Labelled label={t(META[name])}>
        <select
          aria-label={t(META[name])}
          className={FIELD}
          value={value}
          onChange={({ target }) => change(name, target.value)}
        >
          <option value="">{none}</option>
          {[...new Set([...values, value])].filter(Boolean).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Labelled>
    );
  };
  const scopes = Array.isArray(call._scopes) ? call._scopes.filter((scope) => typeof scope === "string") : [];
  const kinds = [...new Set(["state", "input", ...knowledge.kinds, ...scopes])];
  return (
    <>
      {(knowledge.instances.length > 0 || typeof call._instance === "string") &&
        choice("_instance", knowledge.instances, t("everyInstance"))}
      {choice("_delegate", [...known.delegates.keys(), "anonymous"], t("noDelegate"))}
      {typeof call._delegate === "string" && (
        <fieldset className="flex flex-wrap gap-x-3 gap-y-1">
          <legend className="mb-0.5 text-11 text-fg-3">{t("scopes")}</legend>
          {kinds.map((kind) => (
            <label key={kind} className="flex min-h-6 items-center gap-1.5 font-mono text-11">
              <input
                type="checkbox"
                checked={scopes.includes(kind)}
                onChange={({ target }) => {
                  const next = target.checked ? [...scopes, kind] : scopes.filter((scope) => scope !== kind);
                  change("_scopes", next.length === 0 ? null : next);
                }}
                className="accent-accent"
              />
              {kind}
            </label>
          ))}
        </fieldset>
      )}
      <Labelled label={t("reason")}>
        <CommittedField
          label={t("reason")}
          lines
          value={typeof call._reasoningForCall === "string" ? call._reasoningForCall : ""}
          onCommit={(typed) => {
            change("_reasoningForCall", typed);
            return null;
          }}
        />
      </Labelled>
      {isLatent && outputSchema(tool) !== undefined && (
        <div>
          <span className="mb-0.5 block text-11 text-fg-3">{t("result")}</span>
          <CommittedField
            label={t("result")}
            lines
            mono
            value={call._output === undefined ? "" : JSON.stringify(call._output, null, 1).replace(/\n\s*/g, " ")}
            onCommit={(typed) => {
              if (typed === "") {
                change("_output", null);
                return null;
              }
              try {
                change("_output", JSON.parse(typed));
                return null;
              } catch {
                return "json";
              }
            }}
          />
        </div>
      )}
    </>
  );
}

/** The labels of meta-properties. */
const META = {
  _instance: "instance",
  _delegate: "delegate",
  _scopes: "scopes",
  _reasoningForCall: "reason",
  _output: "result",
} as const;
