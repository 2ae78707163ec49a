import { MOST_TOLD, type Notice, type NoticeStore, REMEMBERED_NOTICES_MS } from "../notices.ts";
import { type NoticeRow, RULE_NOTICES, type RuleNoticeRow, toNotice, toRuleNotice } from "../queries/notice-row.ts";
import type { Queries } from "./database.ts";
import type { PostgresWriter } from "./log/writer.ts";
import { jsonIn } from "./queries/json-text.ts";
import { NOT_IMPORTED } from "./queries/pending.ts";

/** Whether somebody still has to do with a row of `notices`. A conversation that was taken over has somebody. */
const AWAITED = `(
  EXISTS (SELECT 1 FROM confirmations
    WHERE starts_with(notices.subject, 'confirmation:') AND id = substr(notices.subject, 14) AND status = 'requested')
  OR EXISTS (SELECT 1 FROM notes WHERE starts_with(notices.subject, 'mention:') AND notices.number = 0 AND notices.sent_at IS NULL
    AND notes.id = substr(notices.subject, 9))
  OR EXISTS (SELECT 1 FROM alert_firings JOIN alert_rules ON alert_rules.id = rule_id
    WHERE starts_with(notices.subject, 'rule:') AND alert_firings.id = substr(notices.subject, 6)
      AND (number <= 0 AND sent_at IS NULL OR ended_at IS NULL AND coalesce(muted_until, 0) < notices.due_at))
  OR EXISTS (SELECT 1 FROM alerts JOIN conversations ON conversations.id = alerts.conversation_id
    WHERE starts_with(notices.subject, 'alert:') AND alerts.id = substr(notices.subject, 7) AND closed_at IS NULL
      AND ${jsonIn("summary")} ->> 'taken_over' IS NULL))`;

const UNSENT = "channel = $1 AND message = $2 AND sent_at IS NULL";

const NEWS = `WITH place AS (SELECT position FROM notice_places WHERE channel = $1)
  SELECT 'confirmation' AS kind, confirmations.id, requested_at AS since
    FROM confirmations JOIN events ON events.position = confirmations.position
    WHERE confirmations.position > (SELECT position FROM place) AND status = 'requested' AND ${NOT_IMPORTED}
  UNION ALL
  SELECT 'alert', id, created_at FROM alerts WHERE position > (SELECT position FROM place) AND closed_at IS NULL`;

const TOLD = `SELECT kind, waiting.id, number, waiting.conversation_id, conversations.title,
    coalesce(events.agent_id, conversations.agent_id) AS agent_id, since, method, waiting.text, mention
  FROM (
    SELECT 'confirmation' AS kind, confirmations.id, number, confirmations.position, confirmations.conversation_id,
      requested_at AS since, ${jsonIn("action")} ->> 'method' AS method, description AS text, NULL AS mention, channel, message, sent_at
    FROM notices JOIN confirmations ON confirmations.id = substr(subject, 14)
    WHERE starts_with(subject, 'confirmation:')
    UNION ALL
    SELECT 'alert', alerts.id, number, alerts.position, alerts.conversation_id,
      created_at, NULL, alerts.text, NULL, channel, message, sent_at
    FROM notices JOIN alerts ON alerts.id = substr(subject, 7)
    WHERE starts_with(subject, 'alert:')
    UNION ALL
    SELECT 'mention', notes.id, number,
           (SELECT position FROM conversations WHERE id = notes.conversation_id), notes.conversation_id, at, NULL, notes.text,
      json_build_object('names', mentions::json, 'by', notes.by, 'seq', seq)::text, channel, message, sent_at
    FROM notices JOIN notes ON notes.id = substr(subject, 9)
    WHERE starts_with(subject, 'mention:')
  ) AS waiting
    JOIN conversations ON conversations.id = waiting.conversation_id
    JOIN events ON events.position = waiting.position
  WHERE waiting.${UNSENT} ORDER BY waiting.position LIMIT ${MOST_TOLD}`;

const TOLD_RULES = `${RULE_NOTICES} WHERE starts_with(subject, 'rule:') AND ${UNSENT}
  ORDER BY started_at, alert_firings.id LIMIT ${MOST_TOLD}`;

/** Notices, written in transactions that hold the log's lock. */
export function createNoticeStore(database: Queries, writer: PostgresWriter): NoticeStore {
  return {
    follow: (channel) =>
      writer.submitDirect(async (queries, { head, recordedAt }) => {
        await queries.run(
          "INSERT INTO notice_places (channel, position) VALUES ($1, $2) ON CONFLICT (channel) DO NOTHING",
          [channel, head],
        );
        await queries.run(`DELETE FROM notices WHERE channel = $1 AND sent_at < $2 AND NOT ${AWAITED}`, [
          channel,
          recordedAt - REMEMBERED_NOTICES_MS,
        ]);
      }),
    async gather(channel, first) {
      // Looked at first without a transaction: it is asked whenever the log has grown.
      const [place] = await database.rows<{ news: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM confirmations WHERE position > place.position)
           OR EXISTS (SELECT 1 FROM alerts WHERE position > place.position) AS news
         FROM notice_places AS place WHERE channel = $1`,
        [channel],
      );
      if (!place?.news) return;
      await writer.submitDirect(async (queries, { head }) => {
        const news = await queries.rows<{ kind: Notice["kind"]; id: string; since: number }>(NEWS, [channel]);
        for (const { kind, id, since } of news) {
          const notice = first(kind, since);
          if (notice) await insert(queries, [`${kind}:${id}`, channel, notice.number, notice.dueAt]);
        }
        await queries.run("UPDATE notice_places SET position = $1 WHERE channel = $2", [head, channel]);
      });
    },
    take: (channel, now, id) =>
      writer.submitDirect(async (queries) => {
        await queries.run(
          `DELETE FROM notices WHERE channel = $1 AND sent_at IS NULL AND due_at <= $2 AND NOT ${AWAITED}`,
          [channel, now],
        );
        const [begun] = await queries.rows<{ message: string }>(
          `SELECT message FROM notices WHERE channel = $1 AND sent_at IS NULL AND message IS NOT NULL
           ORDER BY due_at LIMIT 1`,
          [channel],
        );
        if (begun) return messageOf(queries, channel, begun.message);
        const changes = await queries.run(
          "UPDATE notices SET message = $1 WHERE channel = $2 AND sent_at IS NULL AND due_at <= $3",
          [id, channel, now],
        );
        return changes === 0 ? null : messageOf(queries, channel, id);
      }),
    sent: (channel, id, { at, again, most }) =>
      writer.submitDirect(async (queries) => {
        if (again !== null)
          await queries.run(
            `INSERT INTO notices (subject, channel, number, due_at)
             SELECT subject, channel, number + 1, $3 FROM notices WHERE ${UNSENT} AND number >= 0 AND number < $4 ON CONFLICT DO NOTHING`,
            [channel, id, again, most],
          );
        await queries.run(`UPDATE notices SET sent_at = $3, error = NULL WHERE ${UNSENT}`, [channel, id, at]);
      }),
    async failed(channel, id, error) {
      await database.run(`UPDATE notices SET tries = tries + 1, error = $3 WHERE ${UNSENT}`, [channel, id, error]);
    },
    async nextDue(channel) {
      const [next] = await database.rows<{ due_at: number | null }>(
        "SELECT min(due_at) AS due_at FROM notices WHERE sent_at IS NULL AND channel = $1",
        [channel],
      );
      return next?.due_at ?? null;
    },
  };
}

async function insert(queries: Queries, values: [subject: string, channel: string, number: number, dueAt: number]) {
  await queries.run(
    "INSERT INTO notices (subject, channel, number, due_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    values,
  );
}

async function messageOf(queries: Queries, channel: string, id: string) {
  const groups = await queries.rows<{ kind: Notice["kind"]; count: number; tries: number }>(
    `SELECT split_part(subject, ':', 1) AS kind, count(*) AS count, max(tries) AS tries
     FROM notices WHERE ${UNSENT} GROUP BY 1`,
    [channel, id],
  );
  const counts = { confirmation: 0, alert: 0, mention: 0, rule: 0 };
  for (const { kind, count } of groups) counts[kind] = count;
  const rules = counts.rule > 0 ? await queries.rows<RuleNoticeRow>(TOLD_RULES, [channel, id]) : [];
  const told = await queries.rows<NoticeRow>(TOLD, [channel, id]);
  return {
    id,
    tries: Math.max(0, ...groups.map(({ tries }) => tries)),
    notices: [...rules.map(toRuleNotice), ...told.map(toNotice)].slice(0, MOST_TOLD),
    counts,
  };
}
