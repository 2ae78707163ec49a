ALTER TABLE `suite_cases` ADD `users` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
UPDATE `suite_cases` SET `users` = (SELECT json_group_array(`user`) FROM (
  SELECT substr(`actor`, 6) AS `user` FROM `events` WHERE `events`.`conversation_id` = `suite_cases`.`conversation_id` AND `actor` GLOB 'user:*'
  UNION SELECT `payload` ->> '$.user_id' FROM `events` WHERE `events`.`conversation_id` = `suite_cases`.`conversation_id`
    AND `type` IN ('conversation.created', 'run.started', 'memory.updated') AND `payload` ->> '$.user_id' IS NOT NULL));
