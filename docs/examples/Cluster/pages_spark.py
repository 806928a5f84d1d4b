"""Texts and thumbnails of all pages with Spark: spark-submit pages_spark.py LIST OUTPUT TASKS"""

import sys

import recto.spark
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
paths = spark.read.text(sys.argv[1]).toDF("path").repartition(int(sys.argv[3]))
recto.spark.pages(paths, size=256).write.parquet(sys.argv[2])
